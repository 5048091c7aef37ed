/** The language spoken now. Its words are loaded where somebody wants them, and the page changes over
 *  when all that it shows are there. */

import { settings } from '../settings.svelte';
import { ENGLISH, languageOf, type Pages } from './catalogue';

let spoken = $state.raw<string>(settings.lang);
const loaders: ((lang: string) => Promise<unknown>)[] = [];

/** Words of one part of the page, in the language spoken; a part that a language leaves out is in
 *  English. */
export async function wordbook<Words>(pages: Pages<Words>): Promise<() => Words> {
  const read: Record<string, Words> = {};
  const written = new Map(Object.entries(pages).map(([path, page]) => [languageOf(path), page]));
  const page = (lang: string): (() => Promise<Words>) => written.get(lang) ?? written.get(ENGLISH)!;
  const load = async (lang: string): Promise<Words> => (read[lang] ??= await page(lang)());
  loaders.push(load);
  const first = await load(settings.lang);
  return () => read[spoken] ?? first;
}

/** Say everything in that language from now on, unless another was wished for meanwhile. */
async function speak(lang: string): Promise<void> {
  await Promise.all(loaders.map((load) => load(lang)));
  if (settings.lang === lang) spoken = lang;
}

/** Follow the settings; call once. */
export function keepSpeaking(): () => void {
  return $effect.root(() => {
    // Without a line to the server it goes on in the language it has.
    $effect(() => void speak(settings.lang).catch(() => undefined));
  });
}
