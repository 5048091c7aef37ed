/** All listed tables, kept current by the server. */

import type { TableInfo } from './protocol';

type Said =
  | { type: 'lobbyFull'; tables: TableInfo[] }
  | { type: 'lobbyChange'; table: TableInfo };

const AGAIN_MS = 2000;

export class LobbyLine {
  tables: TableInfo[] = $state.raw([]);
  #byId = new Map<string, TableInfo>();
  #socket: WebSocket | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #frame = 0;
  #closed = false;

  constructor() {
    this.#open();
  }

  close(): void {
    this.#closed = true;
    clearTimeout(this.#timer);
    cancelAnimationFrame(this.#frame);
    this.#socket?.close();
  }

  #open(): void {
    const scheme = location.protocol === 'https:' ? 'wss' : 'ws';
    const socket = new WebSocket(`${scheme}://${location.host}/api/lobby`);
    this.#socket = socket;
    socket.onmessage = (event: MessageEvent<string>) => this.#read(JSON.parse(event.data) as Said);
    socket.onclose = () => {
      if (!this.#closed) this.#timer = setTimeout(() => this.#open(), AGAIN_MS);
    };
  }

  #read(said: Said): void {
    if (said.type === 'lobbyFull') {
      this.#byId = new Map(said.tables.map((table) => [table.id, table]));
    } else if (said.table.state === 'finished' || !said.table.listed) {
      this.#byId.delete(said.table.id);
    } else {
      this.#byId.set(said.table.id, said.table);
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
