import { describe, expect, it } from '@jest/globals';
import { parseWorldBook } from '../../src/domain/worldbook.ts';
import { createWorldBookSearch } from '../../src/domain/worldbook-search.ts';

const keysShape = {
  id: 'pier',
  keys: ['码头'],
  comment: '旧码头',
  chunks: [{ id: 'pier-1', text: '码头有九十步长。' }],
};
const keywordsShape = {
  id: 'pier',
  keywords: ['码头'],
  title: '旧码头',
  chunks: [{ id: 'pier-1', content: '码头有九十步长。' }],
};
const read = {
  id: 'pier',
  keywords: ['码头'],
  title: '旧码头',
  chunks: [{ id: 'pier-1', text: '码头有九十步长。' }],
};

const parse = (value: unknown, path = 'x/worldbook/book.json') =>
  parseWorldBook([{ path, text: JSON.stringify(value) }]);
const withoutId = ({ id: _id, ...entry }: typeof keysShape) => entry;

describe.each([
  ['keys/comment/chunks[].text', keysShape],
  ['keywords/title/chunks[].content', keywordsShape],
])('an entry in the shape %s', (_name, entry) => {
  it.each([
    ['a list', [entry]],
    ['{"entries": list}', { entries: [entry] }],
    ['an object by id', { pier: entry }],
    ['{"entries": object by id}', { entries: { pier: entry } }],
    ['one entry', entry],
  ])('is read from a file that is %s', (_container, file) => {
    expect(parse(file)).toEqual([read]);
  });

  it('is found by a search (the fault: one shape was read and nothing was found in the other)', () => {
    expect(createWorldBookSearch(parse([entry]))('码头', 5)).toEqual([
      { score: 6, entryId: 'pier', chunkId: 'pier-1', text: '码头有九十步长。' },
    ]);
  });
});

describe('a world book', () => {
  it('reads both shapes side by side in one file', () => {
    expect(parse([keysShape, { ...keywordsShape, id: 'pier-2' }]).map(({ title }) => title)).toEqual([
      '旧码头',
      '旧码头',
    ]);
  });

  it('names entries and chunks that have no id by their place', () => {
    const entry = { keys: ['a'], comment: 'A', chunks: [{ text: 'one' }, { content: 'two' }] };
    expect(parse([entry])[0]).toMatchObject({ id: 'book-1', chunks: [{ id: 'book-1-1' }, { id: 'book-1-2' }] });
    expect(parse(withoutId(keysShape))[0]?.id).toBe('book');
    expect(parse({ 7: withoutId(keysShape) })[0]?.id).toBe('7');
  });

  it('takes numbers as ids, null as absent, and extra fields as none of its business', () => {
    const entry = { ...keysShape, id: 3, title: null, keywords: null, priority: 10 };
    expect(parse([entry])).toEqual([{ ...read, id: '3' }]);
  });

  it('keeps an entry called "__proto__" or "constructor"', () => {
    const text = '{"__proto__": {"chunks": [{"text": "a"}]}, "constructor": {"chunks": [{"text": "b"}]}}';
    const ids = parseWorldBook([{ path: 'x/worldbook/b.json', text }]).map(({ id }) => id);
    expect(ids).toEqual(['__proto__', 'constructor']);
  });

  it.each([
    [[{ ...keysShape, chunks: [] }], 'x/worldbook/book.json[0].chunks must have at least one chunk'],
    [[{ keys: ['a'] }], 'x/worldbook/book.json[0].chunks is required (array)'],
    [
      { entries: { pier: { chunks: [{ id: 'a' }] } } },
      'book.json.entries.pier.chunks[0] needs a "text" (or "content")',
    ],
    [[{ ...keysShape, keys: 'pier' }], 'x/worldbook/book.json[0].keys must be array'],
    ['words', 'x/worldbook/book.json must be a list of entries or an object of entries by id'],
  ])('with the fault %j is refused by a line that names file and field', (value, message) => {
    expect(() => parse(value)).toThrow(message);
  });

  it('refuses the same id in two files, naming both', () => {
    const text = JSON.stringify([keysShape]);
    const files = ['x/worldbook/a.json', 'x/worldbook/b.json'].map((path) => ({ path, text }));
    expect(() => parseWorldBook(files)).toThrow(
      'x/worldbook/b.json has an entry "pier", and x/worldbook/a.json has one too',
    );
  });

  it.each(['[\n  {"id": "a",}\n]', '[', '', 'keys: a'])(
    'that is not JSON (%j) is refused by a line that names file and problem',
    (text) => {
      expect(() => parseWorldBook([{ path: 'x/worldbook/b.json', text }])).toThrow(
        /^x\/worldbook\/b\.json cannot be read as JSON: .*(Unexpected|Expected).*$/,
      );
    },
  );
});
