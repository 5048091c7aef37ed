/** Making a table and going there, from wherever a game can begin. */

import { makeTable } from './api';
import { copyText } from './clipboard';
import type { NewTable } from './http';
import { tr } from './i18n';
import { keep } from './keyring';
import { beSomebody, ownName } from './people/me.svelte';
import { navigate } from './router.svelte';
import { settings } from './settings.svelte';
import { keepShare, newShare } from './shares';

/** With the hash of a share, where others can sit down. */
function withShare(asked: NewTable, share_hash: string): NewTable {
  if (!asked.chairs.some(({ kind }) => kind === 'open')) return asked;
  return { ...asked, chairs: asked.chairs.map((chair) => (chair.kind === 'me' ? { ...chair, share_hash } : chair)) };
}

/** Under the name one has by now: a guest is made right before the first table. */
function named(asked: NewTable): NewTable {
  const name = ownName();
  if (!name) return asked;
  return { ...asked, chairs: asked.chairs.map((chair) => (chair.kind === 'me' ? { ...chair, name } : chair)) };
}

/** Make the table, keep its keys, copy its invitations and go there. Throws Refused. */
export async function openTable(asked: NewTable): Promise<void> {
  await beSomebody();
  const share = newShare();
  const { table, keys, invites, watch_code } = await makeTable(withShare(named(asked), share.hash));
  keepShare(table.id, share);
  const links = invites.map(({ seat, code }) => ({ seat, url: `${location.origin}/join/${code}` }));
  keep(table.id, keys.map(({ key }) => key), { invites: links, watch: watch_code });
  if (links.length) await copyText(links.map(({ url }) => url).join('\n'));
  navigate(`/t/${table.id}`);
}

export function myChair(): NewTable['chairs'][number] {
  return { kind: 'me', name: ownName() || tr().nameHint };
}

export function againstBots(bot: string, seats: number): NewTable {
  const bots = Array.from({ length: seats - 1 }, () => ({ kind: 'bot' as const, bot }));
  return { seats, listed: false, rated: settings.rated, chairs: [myChair(), ...bots] };
}
