import { afterEach, describe, expect, it, jest } from '@jest/globals';
import { createMessageLines } from '../src/transport/message-lines.ts';

afterEach(() => {
  jest.restoreAllMocks();
});

const answer = (id: number, text: string): string => JSON.stringify({ jsonrpc: '2.0', id, result: { text } });

/** All messages of a text that comes in chunks of so many bytes. */
function readIn(size: number, text: string, maxLineBytes = 1e9): readonly unknown[] {
  const lines = createMessageLines(maxLineBytes);
  const bytes = Buffer.from(text);
  const read: unknown[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    lines.append(bytes.subarray(at, at + size));
    for (let message = lines.readMessage(); message !== null; message = lines.readMessage()) read.push(message);
  }
  return read;
}

describe('messages of a process', () => {
  it('are the same however their bytes arrive, with words between them passed over', () => {
    const text = `${answer(1, 'müde 海')}\r\nStarting …\n\n${answer(2, '')}\n{"jsonrpc":"2.0","method":"notifications/x"}\nlast`;
    const whole = readIn(text.length * 3, text);
    expect(whole).toMatchObject([{ id: 1, result: { text: 'müde 海' } }, { id: 2 }, { method: 'notifications/x' }]);
    for (const size of [1, 2, 3, 7, 64]) expect(readIn(size, text)).toEqual(whole);
  });

  it('are copied once, however many chunks they come in', () => {
    let copied = 0;
    const concat = Buffer.concat.bind(Buffer);
    jest.spyOn(Buffer, 'concat').mockImplementation((parts, length) => {
      const joined = concat(parts, length);
      copied += joined.length;
      return joined;
    });
    const text = `${answer(1, 'x'.repeat(4_000_000))}\n${answer(2, 'y'.repeat(1_000_000))}\n`;
    expect(readIn(4_096, text)).toMatchObject([{ id: 1 }, { id: 2 }]);
    expect(copied).toBeLessThanOrEqual(text.length);
  });

  it.each(['null', '7', '"x"', '[]'])('end their request where they answer it with the result %s', (result) => {
    expect(readIn(64, `{"jsonrpc":"2.0","id":7,"result":${result}}\n`)).toMatchObject([
      { id: 7, error: { message: expect.stringContaining('neither a result nor an error') } },
    ]);
  });

  it.each(['"broken"', 'null', '{}', '{"code":"x","message":"y"}', '[]'])(
    'end their request where they answer it with the error %s',
    (error) => {
      expect(readIn(64, `{"jsonrpc":"2.0","id":"a","error":${error}}\n${answer(2, 'next')}\n`)).toMatchObject([
        { id: 'a', error: { code: -32_603 } },
        { id: 2 },
      ]);
    },
  );

  it('are refused where they are longer than may be, and may be as long as that', () => {
    const text = answer(1, 'x'.repeat(100));
    expect(readIn(10, `${text}\n`, text.length)).toHaveLength(1);
    expect(() => readIn(10, `${text}\n`, text.length - 1)).toThrow('more than');
  });
});
