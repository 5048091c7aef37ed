/** A language is files: a toy one, put beside the others, is spoken without any code being changed. */

import { svelte } from '@sveltejs/vite-plugin-svelte';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createServer } from 'vite';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

const WEB = join(import.meta.dirname, '..');
const KEPT = {};
let house;
let page;

/** The page's sources with a toy language, in a folder of their own. */
async function withToy() {
  const folder = await mkdtemp(join(tmpdir(), 'cabochon-'));
  const words = join('src', 'cabochon', 'words');
  await cp(join(WEB, 'src'), join(folder, 'web', 'src'), { recursive: true });
  await cp(join(WEB, '..', words), join(folder, words), { recursive: true });
  await symlink(join(WEB, 'node_modules'), join(folder, 'web', 'node_modules'));
  const english = await readFile(join(WEB, 'src', 'i18n', 'en.ts'), 'utf-8');
  const toy = english.replace("confirm: 'Confirm'", "confirm: 'Toy'").replace("locale: 'en'", "locale: 'nl'");
  await writeFile(join(folder, 'web', 'src', 'i18n', 'nl.ts'), toy);
  await writeFile(join(folder, words, 'rules.nl.md'), '# Toy\n');
  return folder;
}

beforeAll(async () => {
  house = await withToy();
  vi.stubGlobal('navigator', { languages: ['fr-BE', 'nl-BE', 'en'] });
  vi.stubGlobal('localStorage', { getItem: (key) => KEPT[key] ?? null, setItem: () => undefined });
  vi.stubGlobal('matchMedia', () => ({ matches: false, addEventListener: () => undefined }));
  vi.stubGlobal('addEventListener', () => undefined);
  page = await createServer({
    root: join(house, 'web'),
    configFile: false,
    logLevel: 'error',
    plugins: [svelte({ configFile: false })],
    server: { middlewareMode: true, watch: null, ws: false, fs: { strict: false } },
    optimizeDeps: { noDiscovery: true },
  });
}, 60_000);

afterAll(async () => {
  await page.close();
  await rm(house, { recursive: true });
});

test('it is offered under its own name, and is what a browser that wants it gets', async () => {
  const { LANGUAGES, languageAfter, languageFor, ownName } = await page.ssrLoadModule('/src/i18n/catalogue.ts');
  expect(LANGUAGES).toEqual(['en', 'nl', 'zh']);
  expect(LANGUAGES.map(ownName)).toEqual(['English', 'Nederlands', '中文']);
  expect(LANGUAGES.map(languageAfter)).toEqual(['nl', 'zh', 'en']);
  expect(languageFor(['fr', 'zh-TW'])).toBe('zh');
  expect(languageFor(['fr'])).toBe('en');
  const { settings } = await page.ssrLoadModule('/src/settings.svelte.ts');
  expect(settings.lang).toBe('nl');
}, 60_000);

test('the page speaks it, and English where a part has no words of it', async () => {
  const { learnToSpeak, said, tr } = await page.ssrLoadModule('/src/i18n/index.ts');
  await learnToSpeak();
  expect([tr().confirm, tr().locale]).toEqual(['Toy', 'nl']);
  expect(said({ en: 'Hello', zh: '你好', nl: 'Hallo' })).toBe('Hallo');
  expect(said({ en: 'Hello', zh: '你好' })).toBe('Hello');
  const { rulesText, rw } = await page.ssrLoadModule('/src/rules/words.ts');
  expect(rulesText()).toBe('# Toy\n');
  expect(rw().contents).toBe('On this page');
}, 60_000);
