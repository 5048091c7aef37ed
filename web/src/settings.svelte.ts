/** What a person prefers: kept in this browser, applied to the page at once. */

import { languageFor, LANGUAGES } from './i18n/catalogue';
import type { Pace } from './pace';
import type { Sound } from './sounds';

export type Theme = 'system' | 'light' | 'dark' | 'contrast';
export type Palette = 'classic' | 'deutan' | 'tritan';

export interface Settings {
  lang: string;
  theme: Theme;
  gems: Palette;
  letters: boolean;
  confirm: boolean;
  missingOnly: boolean;
  motion: boolean;
  /** How fast bots' turns are shown. */
  pace: Pace;
  sound: boolean;
  /** From 0 to 100. */
  volume: number;
  sounds: Record<Sound, boolean>;
  notify: boolean;
  keys: boolean;
  trackers: boolean;
  name: string;
  /** Whether games against bots count for the rating. */
  rated: boolean;
}

const STORED = 'cabochon.settings';

function defaults(): Settings {
  return {
    lang: languageFor(navigator.languages),
    theme: 'system',
    gems: 'classic',
    letters: false,
    confirm: true,
    missingOnly: false,
    motion: true,
    pace: 'brisk',
    sound: false,
    volume: 60,
    sounds: { tokens: true, cards: true, nobles: true, turn: true, end: true },
    notify: false,
    keys: true,
    trackers: true,
    name: '',
    rated: true,
  };
}

function stored(): Partial<Settings> {
  try {
    return JSON.parse(localStorage.getItem(STORED) ?? '{}') as Partial<Settings>;
  } catch {
    return {};
  }
}

/** With the language this page speaks, should the one that was kept be no more. */
function known(wishes: Settings): Settings {
  return { ...wishes, lang: LANGUAGES.includes(wishes.lang) ? wishes.lang : defaults().lang };
}

export const settings: Settings = $state(known({ ...defaults(), ...stored() }));

// What is changed in one window holds in all of them.
addEventListener('storage', (e) => {
  if (e.key === STORED) Object.assign(settings, stored());
});

const darkness = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');
const stillness = matchMedia('(prefers-reduced-motion: reduce)');
const system = $state({ dark: darkness.matches, contrast: contrast.matches, still: stillness.matches });
darkness.addEventListener('change', (e) => (system.dark = e.matches));
contrast.addEventListener('change', (e) => (system.contrast = e.matches));
stillness.addEventListener('change', (e) => (system.still = e.matches));

/** The theme in force: the system's wish is followed until a person chooses. */
export function theme(): Exclude<Theme, 'system'> {
  if (settings.theme !== 'system') return settings.theme;
  if (system.contrast) return 'contrast';
  return system.dark ? 'dark' : 'light';
}

/** Whether things may travel over the screen. */
export function moving(): boolean {
  return settings.motion && !system.still;
}

/** Keep the page and the store in step with the settings; call once. */
export function applySettings(): () => void {
  return $effect.root(() => {
    $effect(() => {
      const root = document.documentElement;
      root.dataset.theme = theme();
      root.dataset.gems = settings.gems;
      root.dataset.letters = settings.letters ? 'on' : 'off';
      root.dataset.motion = moving() ? 'on' : 'off';
    });
    $effect(() => {
      const text = JSON.stringify(settings);
      try {
        localStorage.setItem(STORED, text);
      } catch {
        // A browser that keeps nothing still plays.
      }
    });
  });
}
