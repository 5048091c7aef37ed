/** SHA-256 of a text, as hexadecimal. The browser's own is only there over https, and a table at
 *  home is often without it. */

const PRIMES = (() => {
  const found: number[] = [];
  for (let n = 2; found.length < 64; n += 1) if (found.every((p) => n % p)) found.push(n);
  return found;
})();

/** The first 32 bits of the fraction of a root. */
const fraction = (root: number): number => ((root - Math.floor(root)) * 2 ** 32) | 0;
const ROUNDS = PRIMES.map((p) => fraction(Math.cbrt(p)));
const START = PRIMES.slice(0, 8).map((p) => fraction(Math.sqrt(p)));

const turn = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const size = Math.ceil((bytes.length + 9) / 64) * 64;
  const all = new Uint8Array(size);
  all.set(bytes);
  all[bytes.length] = 0x80;
  const view = new DataView(all.buffer);
  view.setUint32(size - 8, Math.floor((bytes.length * 8) / 2 ** 32));
  view.setUint32(size - 4, (bytes.length * 8) >>> 0);
  return view;
}

/** The 64 words that one block of 64 bytes is stretched to. */
function schedule(data: DataView, at: number): Int32Array {
  const w = new Int32Array(64);
  for (let i = 0; i < 16; i += 1) w[i] = data.getInt32(at + 4 * i);
  for (let i = 16; i < 64; i += 1) {
    const a = w[i - 15]!;
    const b = w[i - 2]!;
    const low = turn(a, 7) ^ turn(a, 18) ^ (a >>> 3);
    const high = turn(b, 17) ^ turn(b, 19) ^ (b >>> 10);
    w[i] = w[i - 16]! + low + w[i - 7]! + high;
  }
  return w;
}

function compressed(state: number[], w: Int32Array): number[] {
  let [a, b, c, d, e, f, g, h] = state as [number, number, number, number, number, number, number, number];
  for (let i = 0; i < 64; i += 1) {
    const choice = (e & f) ^ (~e & g);
    const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + choice + ROUNDS[i]! + w[i]!) | 0;
    const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
  }
  return [a, b, c, d, e, f, g, h].map((word, i) => (word + state[i]!) | 0);
}

export function sha256(text: string): string {
  const data = padded(text);
  let state = START;
  for (let at = 0; at < data.byteLength; at += 64) state = compressed(state, schedule(data, at));
  return state.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
}
