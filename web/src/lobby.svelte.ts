/** One line to the server for all pages: listed tables, pools, games to look at, and whoever asks for
 *  a game. A page uses it as long as it is shown. */

import type { InvitationTold, PoolInfo, WatchPage } from './generated/api';
import { loadMe, me } from './people/me.svelte';
import type { TableInfo } from './protocol';

type Said =
  | { type: 'lobbyFull'; tables: TableInfo[] }
  | { type: 'lobbyChange'; table: TableInfo | null; removed: string | null }
  | { type: 'pools'; pools: PoolInfo[]; here: number }
  | { type: 'invitations'; invitations: InvitationTold[] }
  | ({ type: 'watch' } & WatchPage);

const AGAIN_MS = 2000;

const whoLooks = (): string => (me.person ? `${me.person.id} ${me.person.kept}` : '');

class LobbyLine {
  tables: TableInfo[] = $state.raw([]);
  pools: PoolInfo[] | null = $state.raw(null);
  watch: WatchPage | null = $state.raw(null);
  invitations: InvitationTold[] = $state.raw([]);
  here = $state(0);
  /** While it is not, a page may ask by itself. */
  isOpen = $state(false);
  #users = 0;
  #watchers = 0;
  #watching = false;
  #who = '';
  #byId = new Map<string, TableInfo>();
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;

  /** Keep the line open; gives what to call when it is not needed any more. */
  use(watch = false): () => void {
    this.#users += 1;
    if (watch) this.#watchers += 1;
    void loadMe().then(() => this.#tend());
    return () => {
      this.#users -= 1;
      if (watch) this.#watchers -= 1;
      // Whoever goes from one page to the next keeps it.
      setTimeout(() => this.#tend());
    };
  }

  /** Whoever looks at the page may be somebody else now: the server must be told. */
  identify(): void {
    if (!this.#socket || this.#who === whoLooks()) return;
    this.invitations = [];
    this.#open();
  }

  #tend(): void {
    const wanted = this.#watchers > 0;
    if (!this.#users) this.#close();
    else if (!this.#socket || wanted !== this.#watching) this.#open();
  }

  #close(): void {
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    const socket = this.#socket;
    this.#socket = null;
    this.isOpen = false;
    if (!socket) return;
    // A browser complains about a line that is cut before it stands.
    if (socket.readyState === WebSocket.CONNECTING) socket.onopen = () => socket.close();
    else socket.close();
  }

  #open(): void {
    this.#close();
    this.#watching = this.#watchers > 0;
    this.#who = whoLooks();
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/lobby${this.#watching ? '?watch=1' : ''}`);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => {
      if (this.#socket === socket) this.#read(JSON.parse(event.data) as Said);
    };
    socket.onclose = () => {
      if (this.#socket !== socket) return;
      this.isOpen = false;
      this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  #read(said: Said): void {
    this.isOpen = true;
    if (said.type === 'pools') {
      this.pools = said.pools;
      this.here = said.here;
    } else if (said.type === 'watch') this.watch = said;
    else if (said.type === 'invitations') this.invitations = said.invitations;
    else this.#list(said);
  }

  #list(said: Said & { type: 'lobbyFull' | 'lobbyChange' }): void {
    if (said.type === 'lobbyFull') {
      this.#byId = new Map(said.tables.map((table) => [table.id, table]));
    } else if (said.removed !== null) {
      this.#byId.delete(said.removed);
    } else if (said.table) {
      const { table } = said;
      if (table.state === 'finished' || !table.listed) this.#byId.delete(table.id);
      else this.#byId.set(table.id, table);
    }
    // Sixty tables may change at once: the list is drawn once a frame.
    cancelAnimationFrame(this.#frame);
    this.#frame = requestAnimationFrame(() => (this.tables = this.#sorted()));
  }

  /** Open tables first, then games to watch; the newest first. */
  #sorted(): TableInfo[] {
    return [...this.#byId.values()].sort(
      (a, b) => Number(b.state === 'open') - Number(a.state === 'open') || b.created_ms - a.created_ms,
    );
  }
}

export const line = new LobbyLine();
