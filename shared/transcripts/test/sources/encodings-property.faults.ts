import { Readable } from 'node:stream';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import iconv from 'iconv-lite';
import { readSource } from '../../src/sources/read-source.ts';
import type { Source } from '../../src/sources/source.ts';

/** A file whose bytes come in pieces of so many. */
function toSource(bytes: Buffer, sizes: readonly number[]): Source {
  const pieces: Buffer[] = [];
  for (let at = 0, next = 0; at < bytes.length; next += 1) {
    const size = Math.max(1, sizes[next % sizes.length] ?? bytes.length);
    pieces.push(bytes.subarray(at, at + size));
    at += size;
  }
  const entry = { path: 'chat.txt', size: bytes.length, open: async () => Readable.from(pieces) };
  return { name: 'chat.txt', entries: [entry], refused: [], close: async () => undefined };
}

async function readTurns(source: Source): Promise<readonly (readonly [string, string])[]> {
  const turns: (readonly [string, string])[] = [];
  for await (const found of readSource(source, { signal: new AbortController().signal })) {
    if (found.kind === 'fault') throw new Error(`${found.path}: ${found.reason}`);
    if (found.kind !== 'conversation') continue;
    for (const session of found.conversation.sessions)
      for (const { speaker, text } of session.turns) turns.push([speaker, text]);
  }
  return turns;
}

const NAMES = ['小明', '李四', '王小五'];
const WORDS = ['你好', '明天见', '我对花生过敏', '周六去杭州吗', '好的没问题', '记得带伞', '吃饭了吗', '上海下雨了'];
const turns = fc.array(
  fc.record({
    speaker: fc.constantFrom(...NAMES),
    words: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 4 }).map((all) => all.join('，')),
  }),
  { minLength: 6, maxLength: 30 },
);
const sizes = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 });
const ends = fc.constantFrom('\n', '\r\n');

/** The encodings that exports come in, and whether they begin with a mark. */
const ENCODINGS = [
  ...(['utf8', 'gbk', 'gb18030'] as const).map((name) => [name, false] as const),
  ...(['utf8', 'utf16-le', 'utf16-be'] as const).map((name) => [name, true] as const),
] as const;

describe.each(ENCODINGS)('a chat in %s (mark: %s)', (encoding, addBOM) => {
  it('gives the turns that were written, wherever its bytes are cut', async () => {
    await fc.assert(
      fc.asyncProperty(turns, sizes, ends, async (said, pieces, end) => {
        const text = said
          .map(({ speaker, words }, at) => `2024-03-01 10:${String(at).padStart(2, '0')}:31 ${speaker}\n${words}\n`)
          .join('\n')
          .replaceAll('\n', end);
        const source = toSource(iconv.encode(text, encoding, { addBOM }), pieces);
        expect(await readTurns(source)).toEqual(said.map(({ speaker, words }) => [speaker, words]));
      }),
      { numRuns: 40 },
    );
  });
});
