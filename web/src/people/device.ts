/** What a passkey of this device is called until somebody calls it otherwise. */

const SYSTEMS: [RegExp, string][] = [
  [/iPhone/, 'iPhone'],
  [/iPad/, 'iPad'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh/, 'Mac'],
  [/CrOS/, 'Chromebook'],
  [/Linux/, 'Linux'],
];
const BROWSERS: [RegExp, string][] = [
  [/Firefox|FxiOS/, 'Firefox'],
  [/Edg/, 'Edge'],
  [/Chrome|CriOS/, 'Chrome'],
  [/Safari/, 'Safari'],
];

const first = (all: [RegExp, string][], agent: string): string | undefined => all.find(([sign]) => sign.test(agent))?.[1];

export function deviceName(agent: string = navigator.userAgent): string {
  return [first(BROWSERS, agent), first(SYSTEMS, agent)].filter(Boolean).join(', ') || 'Passkey';
}
