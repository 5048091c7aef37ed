/** The line to one table: says hello, passes messages on, and comes back by itself. */

import type { Answer, TableMessage } from './protocol';

export interface Greeting {
  keys: string[];
  watch: string | null;
  since: number | null;
  lang: string;
}

export interface Listener {
  greeting: () => Greeting;
  message: (message: TableMessage) => void;
  answer: (answer: Answer) => void;
  live: () => void;
  lost: () => void;
  refused: (answer: Answer) => void;
}

const PAUSES_MS = [250, 500, 1000, 2000, 4000];
const PING_MS = 8000;
const SILENCE_MS = 25_000;
const ANSWERS = new Set(['accepted', 'refused', 'checked', 'pong']);

export class Connection {
  #address: string;
  #listener: Listener;
  #socket: WebSocket | null = null;
  #tries = 0;
  #heard = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #pulse: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  constructor(address: string, listener: Listener) {
    this.#address = address;
    this.#listener = listener;
    addEventListener('online', this.#again);
    addEventListener('offline', this.#dropped);
    this.#open();
  }

  /** Whether it went out; a message that did not must be said again when the line is back. */
  send(message: object): boolean {
    if (this.#socket?.readyState !== WebSocket.OPEN) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  close(): void {
    this.#closed = true;
    removeEventListener('online', this.#again);
    removeEventListener('offline', this.#dropped);
    this.#hangUp();
  }

  #open(): void {
    const socket = new WebSocket(this.#address);
    this.#socket = socket;
    socket.onopen = () => {
      const { keys, watch, since, lang } = this.#listener.greeting();
      this.send({ type: 'hello', keys, watch, since, lang, facts: true });
      // Where nothing was missed nothing is told: the answer to this says that the line is good.
      this.send({ type: 'ping', id: 'pulse' });
    };
    socket.onmessage = (event: MessageEvent<string>) => {
      this.#heard = Date.now();
      this.#read(JSON.parse(event.data) as TableMessage | Answer);
    };
    socket.onclose = () => this.#ended(socket);
    clearInterval(this.#pulse);
    this.#heard = Date.now();
    this.#pulse = setInterval(() => this.#beat(), PING_MS);
  }

  #read(message: TableMessage | Answer): void {
    if (message.type === 'refused' && message.id === 'hello') {
      this.#closed = true;
      this.#listener.refused(message);
      this.#hangUp();
      return;
    }
    if (this.#tries >= 0) {
      this.#tries = -1;
      this.#listener.live();
    }
    if (ANSWERS.has(message.type)) this.#listener.answer(message as Answer);
    else this.#listener.message(message as TableMessage);
  }

  #beat(): void {
    if (Date.now() - this.#heard > SILENCE_MS) this.#dropped();
    else this.send({ type: 'ping', id: 'pulse' });
  }

  #dropped = (): void => {
    const socket = this.#socket;
    this.#hangUp();
    if (socket) this.#ended(socket);
  };

  #hangUp(): void {
    clearInterval(this.#pulse);
    clearTimeout(this.#timer);
    const socket = this.#socket;
    this.#socket = null;
    if (socket) {
      socket.onclose = null;
      socket.onmessage = null;
      socket.close();
    }
  }

  #ended(socket: WebSocket): void {
    if (this.#closed || (this.#socket !== null && this.#socket !== socket)) return;
    clearInterval(this.#pulse);
    this.#socket = null;
    this.#listener.lost();
    this.#tries = Math.max(0, this.#tries);
    const pause = PAUSES_MS[Math.min(this.#tries, PAUSES_MS.length - 1)];
    this.#tries += 1;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#open(), pause);
  }

  #again = (): void => {
    if (this.#closed || this.#socket?.readyState === WebSocket.OPEN) return;
    clearTimeout(this.#timer);
    this.#hangUp();
    this.#open();
  };
}
