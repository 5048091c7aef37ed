/** Small sounds, made on the spot: nothing to load, nobody's recording. Off until switched on. */

import type { Change, View } from './state';

export const SOUNDS = ['tokens', 'cards', 'nobles', 'turn', 'end'] as const;
export type Sound = (typeof SOUNDS)[number];

/** One stroke: a pitch in hertz (or `hiss`), when it starts and how long it rings, in seconds. */
export interface Stroke {
  pitch: number | 'hiss';
  at: number;
  rings: number;
  loud: number;
}

const bell = (pitches: number[], gap: number, rings: number, loud = 0.16): Stroke[] =>
  pitches.map((pitch, i) => ({ pitch, at: i * gap, rings, loud }));

export const STROKES: Record<Sound, Stroke[]> = {
  tokens: bell([2100, 2350, 2220], 0.06, 0.07, 0.1),
  cards: [
    { pitch: 'hiss', at: 0, rings: 0.16, loud: 0.1 },
    { pitch: 240, at: 0.1, rings: 0.09, loud: 0.14 },
  ],
  nobles: bell([523, 659, 784, 1047], 0.1, 0.7),
  turn: bell([660, 990], 0.12, 0.6),
  end: bell([392, 523, 659, 784, 659, 1047], 0.16, 0.9),
};

/** What is heard when the table changes. */
export function soundsOf(change: Change): Sound[] {
  const verbs = new Set(change.events.map((event) => event.split(' ')[0]));
  const nobles = (view: View): number => view.hands.reduce((sum, hand) => sum + hand.nobles.length, 0);
  const heard: Sound[] = [];
  if (verbs.has('take') || verbs.has('return')) heard.push('tokens');
  if (verbs.has('buy') || verbs.has('reserve')) heard.push('cards');
  if (nobles(change.after) > nobles(change.before)) heard.push('nobles');
  return heard;
}

let context: AudioContext | null = null;

/** Let it be heard, at a volume from 0 to 100. */
export function ring(sound: Sound, volume: number): void {
  try {
    context ??= new AudioContext();
    // A page that was just loaded may be silent until somebody clicks.
    if (context.state === 'suspended') void context.resume();
    for (const stroke of STROKES[sound]) strike(context, stroke, volume / 100);
  } catch {
    // No sound on this machine: the title and the board still say it.
  }
}

function strike(audio: AudioContext, { pitch, at, rings, loud }: Stroke, volume: number): void {
  const start = audio.currentTime + at;
  const loudness = audio.createGain();
  loudness.gain.setValueAtTime(0, start);
  loudness.gain.linearRampToValueAtTime(Math.max(0.0002, loud * volume), start + 0.01);
  loudness.gain.exponentialRampToValueAtTime(0.0001, start + rings);
  const source = pitch === 'hiss' ? hiss(audio, rings) : tone(audio, pitch);
  source.connect(loudness).connect(audio.destination);
  source.start(start);
  source.stop(start + rings + 0.05);
}

function tone(audio: AudioContext, pitch: number): OscillatorNode {
  const source = audio.createOscillator();
  source.type = 'sine';
  source.frequency.value = pitch;
  return source;
}

/** Noise that falls off: paper over felt. */
function hiss(audio: AudioContext, rings: number): AudioBufferSourceNode {
  const size = Math.ceil(audio.sampleRate * rings);
  const buffer = audio.createBuffer(1, size, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < size; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / size);
  const source = audio.createBufferSource();
  source.buffer = buffer;
  return source;
}
