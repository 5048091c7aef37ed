import { THEMES } from '../generated/puzzles';
import { said } from '../i18n';
import { pw } from './words';

/** What a puzzle asks for. The line below it says more about stopping somebody. */
export const themeTitle = (theme: keyof typeof THEMES): string =>
  theme === 'stop' ? pw().themeShort.stop : said(THEMES[theme]);
