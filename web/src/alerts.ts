/** Ways to say "your turn" to somebody who is not looking: title, sound, notification. */

import { tr } from './i18n';
import { settings } from './settings.svelte';

let context: AudioContext | null = null;

/** Two soft strokes on glass; nothing to load. */
export function chime(): void {
  try {
    context ??= new AudioContext();
    const now = context.currentTime;
    for (const [i, pitch] of [660, 990].entries()) {
      const tone = context.createOscillator();
      const loudness = context.createGain();
      tone.type = 'sine';
      tone.frequency.value = pitch;
      loudness.gain.setValueAtTime(0, now + i * 0.12);
      loudness.gain.linearRampToValueAtTime(0.14, now + i * 0.12 + 0.01);
      loudness.gain.exponentialRampToValueAtTime(0.0001, now + i * 0.12 + 0.6);
      tone.connect(loudness).connect(context.destination);
      tone.start(now + i * 0.12);
      tone.stop(now + i * 0.12 + 0.65);
    }
  } catch {
    // No sound on this machine: the title and the board still say it.
  }
}

export async function allowNotifications(): Promise<boolean> {
  if (!('Notification' in window)) return false;
  return (await Notification.requestPermission()) === 'granted';
}

/** Once a turn, and only where it was asked for. */
export function callToTable(round: number, table: string): void {
  if (settings.sound) chime();
  const wanted = settings.notify && document.hidden && 'Notification' in window;
  if (wanted && Notification.permission === 'granted') {
    const note = new Notification(tr().notifyTitle, { body: tr().notifyBody(round), tag: table });
    note.onclick = () => {
      window.focus();
      note.close();
    };
  }
}
