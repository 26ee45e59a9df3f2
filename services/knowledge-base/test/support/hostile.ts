import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { anyCharacter } from '@contextloom/testing/any-character';
import fc from 'fast-check';

/** Pieces that mean something to FTS5, SQL, JSON, URLs, JavaScript, Unicode, or to the order that text is shown in. */
const fragments = [
  '"',
  '""',
  "'",
  '" OR ',
  ' AND ',
  ' NOT ',
  'NEAR(',
  ')',
  '(',
  '*',
  '^',
  ':',
  '-',
  '+',
  '{',
  '}',
  '\\',
  '%',
  '/',
  '..',
  'terms : ',
  'owner : x',
  '{terms unigrams} : ',
  "'; DROP TABLE documents; --",
  "' OR '1'='1",
  '$',
  '?1',
  '@id',
  '\n',
  '\0',
  '\ufeff',
  '\u2028',
  '\u202e',
  '\u200b',
  '\ud800',
  '\udc00',
  '\udfff\ud800',
  '\ufffd',
  '\uffff',
  '\u{10ffff}',
  '__proto__',
  'constructor',
  'toString',
  '散步',
  '喝茶',
  'ﷺ',
  '㌖',
  'ﾞ\u0301',
  'e\u0301',
  '각',
  '👩‍👧',
  'İ',
  'ß',
  'x'.repeat(300),
];

/** Any text at all, lone surrogates and NUL included. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: anyCharacter, maxLength: 40 }),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 20 }).map((units) => String.fromCharCode(...units)),
  fc.array(fc.constantFrom(...fragments), { maxLength: 8 }).map((parts) => parts.join('')),
);

const keys = fc.oneof(
  fc.constantFrom('__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', '', 'a.b', '$and', '$or', '$in'),
  fc.constantFrom('user_id', 'importance', 'created_at', 'occurred_at', 'gt', '$lte', 'nin', 'eq', '$ne', '0', '-1'),
  text,
);
const numbers = fc.oneof(
  fc.constantFrom(0, -0, 1e308, -1e308, 5e-324, 2 ** 53 + 2, -(2 ** 63), 1e21, 0.1 + 0.2, -1, 101, 200),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
);

/** Own keys, whatever they are called: an object literal would take `__proto__` for something else. */
function toObject(entries: readonly (readonly [string, JsonValue])[]): JsonObject {
  return Object.fromEntries(entries);
}

const json = fc.letrec<{ value: JsonValue; object: JsonObject; list: JsonValue[] }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(text, numbers, fc.boolean(), fc.constant(null), fc.constant('2024-02-30T25:00:00Z')),
    tie('list'),
    tie('object'),
  ),
  list: fc.array(tie('value'), { maxLength: 4 }),
  object: fc.array(fc.tuple(keys, tie('value')), { maxLength: 4 }).map(toObject),
}));

/** Mostly what belongs there, else any JSON. */
function mostly(valid: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue> {
  return fc.oneof({ weight: 5, arbitrary: valid }, { weight: 1, arbitrary: json.value });
}

const tags = mostly(fc.array(text, { maxLength: 5 }));
const written = text.map((part) => `heron ${part}`);

/** The arguments of storing a document: a document, or something like one. */
export const documentLike: fc.Arbitrary<JsonObject> = fc.record(
  { content: mostly(written), doc_id: mostly(text), tags, metadata: mostly(json.object) },
  { requiredKeys: ['content'] },
);
const filterLike = {
  tags,
  tags_all: tags,
  tags_any: tags,
  metadata_filter: mostly(json.object),
  user_id: mostly(text),
};

/** The arguments of a search, or something like them. */
export const searchLike: fc.Arbitrary<JsonObject> = fc.record(
  { query: mostly(text), ...filterLike, priority_tags: tags, top_k: mostly(fc.constantFrom(1, 5, 100)) },
  { requiredKeys: ['query'] },
);
const listLike: fc.Arbitrary<JsonObject> = fc.record(
  { ...filterLike, limit: mostly(fc.constantFrom(1, 200)), cursor: mostly(text) },
  { requiredKeys: [] },
);

/** Percent-encodes every byte; a lone surrogate, which has none, goes as bytes that are no UTF-8. */
function toSegment(part: string): string {
  return [...part]
    .map((character) => (/\p{Cs}/u.test(character) ? '%ED%A0%80' : encodeURIComponent(character)))
    .join('');
}

/** A request to the HTTP service. */
export interface HostileCall {
  readonly method: string;
  readonly path: string;
  readonly body?: string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
}

const withBody =
  (method: string, path: string) =>
  (body: JsonValue): HostileCall => ({ method, path, body: JSON.stringify(body) });
const address = fc
  .tuple(fc.oneof(text.map(toSegment), fc.constantFrom('%', '%00', '%E0%A4%A', '%2e%2e', 'a%2Fb')), fc.option(text))
  .map(([id, user]) => `/documents/${id}${user === null ? '' : `?user_id=${toSegment(user)}`}`);

/** Any request to any route, its body some JSON. */
export const call: fc.Arbitrary<HostileCall> = fc.oneof(
  { weight: 3, arbitrary: documentLike.map(withBody('POST', '/add')) },
  { weight: 1, arbitrary: mostly(fc.array(documentLike, { maxLength: 4 })).map(withBody('POST', '/batch_add')) },
  { weight: 3, arbitrary: searchLike.map(withBody('POST', '/search')) },
  { weight: 2, arbitrary: listLike.map(withBody('POST', '/documents/list')) },
  { weight: 1, arbitrary: json.value.map(withBody('POST', '/search')) },
  { weight: 1, arbitrary: fc.tuple(address, documentLike).map(([path, body]) => withBody('PATCH', path)(body)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom('GET', 'DELETE'), address).map(([method, path]) => ({ method, path })),
  },
  { weight: 1, arbitrary: text.map((user) => ({ method: 'GET', path: `/stats?user_id=${toSegment(user)}` })) },
);

const contentTypes = fc.constantFrom(
  'application/json',
  'application/json; charset=utf-8',
  'application/json; charset=utf-16',
  'application/json; charset=x',
  'application/json; charset',
);
const encodings = fc.constantFrom('gzip', 'br', 'deflate', 'zstd', 'x');

/** Requests whose bytes were tampered with: cut, spliced, or not in the encoding that their headers name. */
export const tampered: fc.Arbitrary<HostileCall> = fc
  .record({
    path: fc.constantFrom('/add', '/batch_add', '/search', '/documents/list'),
    valid: fc.oneof(documentLike, searchLike),
    at: fc.double({ min: 0, max: 1, noNaN: true }),
    cut: fc.nat(8),
    bytes: fc.uint8Array({ maxLength: 6 }),
    type: contentTypes,
    encoding: fc.option(encodings, { freq: 4 }),
  })
  .map(({ path, valid, at, cut, bytes, type, encoding }) => {
    const whole = Buffer.from(JSON.stringify(valid));
    const from = Math.floor(at * whole.length);
    const body = Uint8Array.from([...whole.subarray(0, from), ...bytes, ...whole.subarray(from + cut)]);
    const headers = { 'content-type': type, ...(encoding !== null && { 'content-encoding': encoding }) };
    return { method: 'POST', path, body, headers };
  });
