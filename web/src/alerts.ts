/** Ways to say "your turn" to somebody who is not looking: title, sound, notification. */

import { tr } from './i18n';
import { settings } from './settings.svelte';
import { ring, type Sound } from './sounds';

/** Only what a person wants to hear. */
export function hear(sound: Sound): void {
  if (settings.sound && settings.sounds[sound]) ring(sound, settings.volume);
}

/** On or off; switching it on is heard. */
export function switchSound(on: boolean): void {
  settings.sound = on;
  if (on) ring('turn', settings.volume);
}

export async function allowNotifications(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Once a turn, and only where it was asked for. */
export function callToTable(round: number, table: string): void {
  hear('turn');
  const wanted = settings.notify && document.hidden && 'Notification' in window;
  if (wanted && Notification.permission === 'granted') {
    const note = new Notification(tr().notifyTitle, { body: tr().notifyBody(round), tag: table });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }
}
