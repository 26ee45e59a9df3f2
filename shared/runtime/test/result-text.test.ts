import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readLargeAnswer, resultTextOf } from '../src/messages/result-text.ts';

const LARGE = 'x'.repeat(20_000);
const results = fc
  .dictionary(fc.string(), fc.jsonValue())
  .map((members) => ({ ...members, content: [{ type: 'text', text: LARGE }] }));

/** How servers write an answer. */
const writings: Readonly<Record<string, (id: number, result: string) => string>> = {
  'result first': (id, result) => `{"result":${result},"jsonrpc":"2.0","id":${id}}`,
  'result last': (id, result) => `{"jsonrpc":"2.0","id":${id},"result":${result}}`,
  'with spaces': (id, result) => `{"jsonrpc": "2.0", "id": ${id}, "result": ${result}}`,
};

describe.each(Object.entries(writings))('a large answer, %s', (_name, write) => {
  it('is read as JSON is, and its result has the text that it came as', () => {
    fc.assert(
      fc.property(fc.nat(), results, fc.constantFrom(undefined, 1), (id, result, indent) => {
        const text = JSON.stringify(result, undefined, indent);
        const written = write(id, text);
        const read = readLargeAnswer(Buffer.from(written));
        expect(read).toEqual(JSON.parse(written));
        expect(resultTextOf({ ...read?.result })?.toString()).toBe(text);
      }),
    );
  });

  it('is left to others where it is not text of UTF-8', () => {
    const bytes = Buffer.from(write(1, `{"content":[],"text":"${LARGE}"}`));
    bytes[10_000] = 0xff;
    expect(readLargeAnswer(bytes)).toBeUndefined();
  });
});

it.each([
  ['a member after the result', `{"jsonrpc":"2.0","id":1,"result":{"content":["${LARGE}"]},"id":2}`],
  ['the id twice', `{"jsonrpc":"2.0","id":1,"result":{"content":["${LARGE}"]},"jsonrpc":"2.0","id":2,"id":1}`],
  ['the result twice', `{"result":{"content":["${LARGE}"]},"result":{},"jsonrpc":"2.0","id":1}`],
  [
    'a second message',
    `{"result":{"content":["${LARGE}"]},"jsonrpc":"2.0","id":1}{"result":{},"jsonrpc":"2.0","id":2}`,
  ],
  ['no end', `{"jsonrpc":"2.0","id":1,"result":{"content":["${LARGE}"]}`],
  ['a result that is a list', `{"jsonrpc":"2.0","id":1,"result":["${LARGE}"]}`],
  ['a text for an id', `{"jsonrpc":"2.0","id":"1","result":{"content":["${LARGE}"]}}`],
  ['a request', `{"jsonrpc":"2.0","id":1,"method":"x","params":{"content":["${LARGE}"]}}`],
])('what brings %s is left to others', (_name, written) => {
  expect(readLargeAnswer(Buffer.from(written))).toBeUndefined();
});

describe('a result', () => {
  const read = () => {
    const text = JSON.stringify({ result: { content: [{ text: LARGE }], more: {} }, jsonrpc: '2.0', id: 1 });
    return readLargeAnswer(Buffer.from(text))?.result ?? {};
  };
  it.each<[string, (result: object) => object]>([
    ['has one member more', (result) => ({ ...result, isError: true })],
    ['has one less', (result) => ({ content: Reflect.get(result, 'content') })],
    ['has another instead', (result) => ({ ...result, more: {} })],
    ['has a copy of one', (result) => ({ ...result, content: [...Reflect.get(result, 'content')] })],
    ['was written and read again', (result) => JSON.parse(JSON.stringify(result))],
  ])('that %s is written again', (_name, change) => {
    expect(resultTextOf(change(read()))).toBeUndefined();
  });
});
