import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createStdioLines, type RefusedLine } from '../src/messages/stdio-lines.ts';

interface Read {
  readonly lines: readonly string[];
  readonly refused: readonly (readonly [RefusedLine['id'], string, string])[];
}

/** Writes chunks, and reads what comes out until the input has ended. */
async function read(chunks: readonly (string | Uint8Array)[], maxLineBytes?: number): Promise<Read> {
  const refused: (readonly [RefusedLine['id'], string, string])[] = [];
  const stream = createStdioLines({
    onRefused: ({ id, error }) => refused.push([id, error.code, error.message]),
    ...(maxLineBytes !== undefined && { maxLineBytes }),
  });
  for (const chunk of chunks) stream.write(chunk);
  stream.end();
  const lines: string[] = [];
  for await (const line of stream) lines.push(String(line));
  return { lines, refused };
}

const bytes = (latin1: string): Uint8Array => Buffer.from(latin1, 'latin1');
const tooLong = 'the message must be at most 300 bytes';
const filler = 'x'.repeat(2_000);

describe('the lines of standard input', () => {
  it('are the same wherever the chunks are cut, and each is one buffer', async () => {
    const line = fc.string({ unit: 'grapheme' }).map((text) => JSON.stringify(text));
    await fc.assert(
      fc.asyncProperty(fc.array(line, { maxLength: 6 }), fc.array(fc.nat(200)), async (lines, cuts) => {
        const ended = lines.map((text) => `${text}\n`);
        const all = Buffer.from(ended.join(''));
        const marks = [0, ...cuts.map((cut) => Math.min(cut, all.length)).sort((a, b) => a - b), all.length];
        const chunks = marks.slice(1).map((mark, at) => all.subarray(marks[at], mark));
        expect(await read(chunks)).toEqual({ lines: ended, refused: [] });
      }),
    );
  });

  it.each<[string, RefusedLine['id'], string | Uint8Array]>([
    ['as its first member', 5, bytes('{"jsonrpc":"2.0","id":5,"method":"a","params":"\xd5\xc5"}\n')],
    ['before the protocol', 'a"b', bytes('{ "id": "a\\"b", "jsonrpc": "2.0", "method": "a", "params": "\xff" }\r\n')],
    ['as its last member', 6, bytes(`{"method":"a","params":{"id":1,"t":"\xff${filler}"},"jsonrpc":"2.0","id":6}\n`)],
    ['before the protocol at the end', 7, bytes(`{"method":"a","params":"\xff${filler}","id":7,"jsonrpc":"2.0"}\n`)],
    ['nowhere, but in an argument', null, bytes('{"method":"a","params":{"t":"\xff","id":1}}\n')],
    ['as bytes that are no text', null, bytes('{"jsonrpc":"2.0","id":"\xd5\xc5","method":"a"}\n')],
    ['as that of an answer, which is no request of ours', null, bytes('{"jsonrpc":"2.0","id":1,"result":"\xff"}\n')],
  ])('are refused with the id of the request that has it %s', async (_where, id, line) => {
    expect(await read([line, '[1]\n'])).toEqual({
      lines: ['[1]\n'],
      refused: [[id, 'malformed', 'the message is not valid UTF-8']],
    });
  });

  it('are refused when they are too long, with the id at either end of them, however they are cut', async () => {
    const atEnd = `{"method":"a","params":"${filler}","jsonrpc":"2.0","id":3}\n`;
    const atStart = `{"jsonrpc":"2.0","id":4,"method":"a","params":"${filler}"}\n`;
    const cut = [...`${atEnd}${atStart}`].map((character) => character);
    for (const chunks of [[atEnd, atStart], cut]) {
      expect(await read([...chunks, '1\n'], 300)).toEqual({
        lines: ['1\n'],
        refused: [
          [3, 'too_large', tooLong],
          [4, 'too_large', tooLong],
        ],
      });
    }
  });

  it('are refused when parsing them would take seconds', async () => {
    const { lines, refused } = await read([
      `${'['.repeat(300)}${']'.repeat(300)}\n`,
      `[${'{},'.repeat(250_000)}{}]\n`,
      `[${'1,'.repeat(1_000_000)}1]\n`,
      '1\n',
    ]);
    expect(lines).toEqual(['1\n']);
    expect(refused.map(([, code]) => code)).toEqual(['malformed', 'too_large', 'too_large']);
  });
});
