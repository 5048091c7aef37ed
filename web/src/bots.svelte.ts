/** What bots are called; the server tells it once. */

import { getMeta } from './api';
import type { BotInfo } from './http';
import { said } from './i18n';

const known: { bots: BotInfo[] } = $state({ bots: [] });

export function loadBots(): void {
  if (known.bots.length) return;
  getMeta().then(
    (meta) => (known.bots = meta.bots),
    () => undefined,
  );
}

/** The bot's title; until the server has told it, its name with a capital. */
export function botTitle(name: string): string {
  const bot = known.bots.find((one) => one.name === name);
  return bot ? said(bot.title) : name.charAt(0).toUpperCase() + name.slice(1);
}
