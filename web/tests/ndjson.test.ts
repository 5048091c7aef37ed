import { describe, expect, it } from 'vitest';
import { jsonLines } from '../src/studio/ndjson';

function body(chunks: Uint8Array[], onCancel: () => void = () => undefined): ReadableStream<Uint8Array> {
  const left = [...chunks];
  return new ReadableStream({
    pull: (control) => {
      const chunk = left.shift();
      if (chunk) control.enqueue(chunk);
      else control.close();
    },
    cancel: onCancel,
  });
}

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

async function all(chunks: Uint8Array[]): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const line of jsonLines(body(chunks))) found.push(line);
  return found;
}

describe('a stream of JSON lines', () => {
  it('is the same however it was cut up', async () => {
    const text = bytes('{"a":1}\n\n{"b":"分析"}\n  \n{"c":[1,2]}');
    const whole = [{ a: 1 }, { b: '分析' }, { c: [1, 2] }];
    for (let size = 1; size <= text.length; size++) {
      const chunks = Array.from({ length: Math.ceil(text.length / size) }, (_, i) => text.slice(i * size, (i + 1) * size));
      expect(await all(chunks)).toEqual(whole);
    }
  });

  it('of nothing but keep-alives says nothing', async () => {
    expect(await all([bytes('\n\n'), bytes('\n')])).toEqual([]);
    expect(await all([])).toEqual([]);
  });

  it('gives a line as soon as it ends, and closes the request when reading stops', async () => {
    let closed = false;
    const endless = new ReadableStream<Uint8Array>({
      start: (control) => control.enqueue(bytes('{"a":1}\n{"half":')),
      cancel: () => void (closed = true),
    });
    for await (const line of jsonLines(endless)) {
      expect(line).toEqual({ a: 1 });
      break;
    }
    expect(closed).toBe(true);
  });

  it('that is no JSON is an error', async () => {
    await expect(all([bytes('<html>\n')])).rejects.toThrow(SyntaxError);
  });
});
