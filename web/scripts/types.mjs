/**
 * The page's types, from what the server promises in docs/: `npm --prefix web run types`.
 * With --check nothing is written, and the exit code says whether the files are current.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import { compile } from 'json-schema-to-typescript';

const ROOT = new URL('../../', import.meta.url);
const OPTIONS = {
  additionalProperties: false,
  bannerComment: '',
  ignoreMinAndMaxItems: true,
  unknownAny: true,
  unreachableDefinitions: true,
  style: { singleQuote: true, printWidth: 120 },
};

const read = (path) => JSON.parse(readFileSync(new URL(path, ROOT), 'utf8'));

/** Titles would name every field's type, and a reference needs nothing beside it. */
function plain(schema) {
  if (Array.isArray(schema)) return schema.map(plain);
  if (typeof schema !== 'object' || schema === null) return schema;
  if (typeof schema.$ref === 'string') return { $ref: schema.$ref.replace('#/components/schemas/', '#/$defs/') };
  const kept = Object.entries(schema).filter(([key, value]) => key !== 'title' || typeof value !== 'string');
  return Object.fromEntries(kept.map(([key, value]) => [key, plain(value)]));
}

const types = async (schema, name, source) =>
  `/** Written by web/scripts/types.mjs from ${source}. */\n\n${await compile(plain(schema), name, OPTIONS)}`;

const files = {
  'web/src/generated/messages.ts': await types(
    read('docs/messages.schema.json').server,
    'ServerMessage',
    'docs/messages.schema.json',
  ),
  'web/src/generated/studio.ts': await types(
    read('docs/messages.schema.json').studio,
    'StudioLine',
    'docs/messages.schema.json',
  ),
  'web/src/generated/api.ts': await types(
    { description: 'All of it; a page takes what it needs.', type: 'object', $defs: read('docs/openapi.json').components.schemas },
    'Api',
    'docs/openapi.json',
  ),
};

let stale = false;
for (const [path, text] of Object.entries(files)) {
  if (!process.argv.includes('--check')) writeFileSync(new URL(path, ROOT), text);
  else if (readFileSync(new URL(path, ROOT), 'utf8') !== text) {
    console.error(`${path} is not current: npm --prefix web run types`);
    stale = true;
  }
}
process.exitCode = stale ? 1 : 0;
