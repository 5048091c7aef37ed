/** The language spoken now. Its words are loaded where somebody wants them, and the page changes over
 *  when all that it shows are there. */

import { settings } from '../settings.svelte';
import type { Language } from './catalogue';

let spoken = $state.raw<Language>(settings.lang);
const loaders: ((lang: Language) => Promise<unknown>)[] = [];

/** Words of one part of the page, in the language spoken. */
export async function wordbook<Words>(pages: Record<Language, () => Promise<Words>>): Promise<() => Words> {
  const read: Partial<Record<Language, Words>> = {};
  const load = async (lang: Language): Promise<Words> => (read[lang] ??= await pages[lang]());
  loaders.push(load);
  const first = await load(settings.lang);
  return () => read[spoken] ?? first;
}

/** Say everything in that language from now on, unless another was wished for meanwhile. */
async function speak(lang: Language): Promise<void> {
  await Promise.all(loaders.map((load) => load(lang)));
  if (settings.lang !== lang) return;
  spoken = lang;
  document.documentElement.lang = lang === 'zh' ? 'zh-CN' : 'en';
}

/** Follow the settings; call once. */
export function keepSpeaking(): () => void {
  return $effect.root(() => {
    // Without a line to the server it goes on in the language it has.
    $effect(() => void speak(settings.lang).catch(() => undefined));
  });
}
