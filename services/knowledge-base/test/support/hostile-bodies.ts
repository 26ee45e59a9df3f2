import { MAX_CONTENT_LENGTH, MAX_QUERY_LENGTH } from '@contextloom/contracts';
import type { HostileCall } from './hostile.ts';

const MB = 1_000_000;

/** A large or strange request, and the statuses that it may be answered with. */
export interface Attack extends HostileCall {
  readonly name: string;
  readonly statuses: readonly number[];
}

const post = (path: string, name: string, statuses: readonly number[], body: string): Attack => ({
  name,
  statuses,
  method: 'POST',
  path,
  body,
});
const search = (name: string, status: number, rest: string): Attack =>
  post('/search', name, [status], `{"query":"heron",${rest}}`);
const query = (name: string, status: number, text: string): Attack =>
  post('/search', name, [status], JSON.stringify({ query: text }));
const add = (name: string, status: number, rest: string): Attack =>
  post('/add', name, [status], `{"content":"heron",${rest}}`);
const content = (name: string, text: string): Attack => post('/add', name, [200], JSON.stringify({ content: text }));

const fill = (unit: string, length: number): string => unit.repeat(Math.floor(length / unit.length));
const nest = (open: string, inner: string, close: string, depth: number): string =>
  `${open.repeat(depth)}${inner}${close.repeat(depth)}`;
const list = (item: string, bytes: number): string => `[${fill(`${item},`, bytes)}${item}]`;
const keysOf = (count: number): string =>
  JSON.stringify(Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, at])));

/** Long texts of every kind that costs something to normalise, tokenise or embed. */
export const longTexts: readonly (readonly [string, string])[] = [
  ['one word', 'x'],
  ['Chinese without punctuation', '散步喝茶'],
  ['words', 'lorem ipsum dolor sit amet '],
  ['ligatures of 18 letters', '\ufdfa'],
  ['squared words', '\u3316'],
  ['halfwidth voicing marks among others', '\uff9e\u0301'],
  ['marks of two classes', '\u0316\u0301'],
  ['FTS5 operators', '" OR NEAR(* ^ : - + { } '],
  ['digit groups', '1,234,'],
  ['NUL', 'a\0'],
];

/** Queries as long as may be, and far longer. */
export const queries: readonly Attack[] = [
  ...longTexts.map(([name, unit]) =>
    query(`a query of 100,000 characters: ${name}`, 200, fill(unit, MAX_QUERY_LENGTH)),
  ),
  query('a query of 10 MB', 422, fill('heron ', 10 * MB)),
  query('a query of 10 MB of Chinese', 422, fill('散步', (10 * MB) / 3)),
  query('a body over the limit', 413, fill('heron ', 17 * MB)),
];

/** Documents as long as may be. */
export const contents: readonly Attack[] = longTexts
  .filter(([name]) => name !== 'squared words')
  .map(([name, unit]) => content(`a document of 1,000,000 characters: ${name}`, fill(unit, MAX_CONTENT_LENGTH)));

/** Filters, metadata, tags and bodies that are deeper, wider or stranger than anyone needs. */
export const structures: readonly Attack[] = [
  search('a filter 50 deep', 422, `"metadata_filter":${nest('{"$and":[', '{}', ']}', 50)}`),
  search('a filter 100,000 deep', 400, `"metadata_filter":${nest('{"$and":[', '{}', ']}', 100_000)}`),
  search('$in with 4,000 values', 200, `"metadata_filter":{"k":{"$in":${list('1', 7_998)}}}`),
  search('$in with 50,000 values', 422, `"metadata_filter":{"k":{"$in":${list('1', 100_000)}}}`),
  search('$in with 7 million values', 413, `"metadata_filter":{"k":{"$in":${list('1', 14 * MB)}}}`),
  search('$or with 500,000 empty conditions', 413, `"metadata_filter":{"$or":${list('{}', 1.5 * MB)}}`),
  search('$or with 5 million empty conditions', 413, `"metadata_filter":{"$or":${list('{}', 15 * MB)}}`),
  search('a filter key of 10 MB', 422, `"metadata_filter":{"${fill('k', 10 * MB)}":{}}`),
  search('a filter key of 900 characters', 422, `"metadata_filter":{"${fill('k', 900)}":{}}`),
  search('operators of prototypes', 422, '"metadata_filter":{"k":{"constructor":1}}'),
  search('keys of prototypes', 200, '"metadata_filter":{"__proto__":"x","constructor":1,"toString":{"$ne":2}}'),
  search('a length that is no number', 422, '"tags":{"length":{"toString":0}}'),
  add('an id with a length that is no number', 422, '"doc_id":{"length":{"valueOf":0,"toString":[]}}'),
  search('infinite numbers', 422, '"metadata_filter":{"k":1e999}'),
  search('numbers at every edge', 200, '"metadata_filter":{"k":{"in":[1e308,-0,5e-324,9007199254740993,-1e-999]}}'),
  search('top_k beyond numbers', 422, '"top_k":1e999'),
  search('7 million tags', 413, `"tags":${list('1', 14 * MB)}`),
  add('tags nested 7 million deep', 400, `"tags":${nest('[', '', ']', 7 * MB)}`),
  add('an unknown field nested 7 million deep', 400, `"x":${nest('[', '', ']', 7 * MB)}`),
  add('metadata nested 100 deep', 422, `"metadata":${nest('{"k":', '1', '}', 100)}`),
  add('metadata of 9,000 keys', 200, `"metadata":${keysOf(9_000)}`),
  add('metadata of 100,000 keys', 422, `"metadata":${keysOf(100_000)}`),
  add('metadata with a list of 7 million', 413, `"metadata":{"k":${list('1', 14 * MB)}}`),
  add('metadata with a text of 15 MB', 422, `"metadata":{"k":"${fill('v', 15 * MB)}"}`),
  add('a lone surrogate under a key of 5 MB', 422, `"metadata":{"${fill('k', 5 * MB)}":"\\ud800"}`),
  add('thousands of tags', 422, `"tags":${list('"t"', 20_000)}`),
  add('duplicate keys', 200, '"content":"heron too","__proto__":{"content":1},"tags":["a"],"tags":["b"]'),
  post('/batch_add', '5 million documents', [413], list('{}', 15 * MB)),
  post('/batch_add', '500,000 documents', [413], list('{}', 1.5 * MB)),
  post('/batch_add', '7 million numbers', [413], list('1', 14 * MB)),
];

const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));
const bytes = (name: string, status: number, body: string, headers: Record<string, string> = {}): Attack => ({
  name,
  statuses: [status],
  method: 'POST',
  path: '/add',
  body: latin1(body),
  headers,
});

/** Bodies that are not the JSON that their headers say. Each character stands for the byte of its number. */
export const encodings: readonly Attack[] = [
  bytes('a byte order mark', 200, '\xef\xbb\xbf{"content":"heron"}'),
  bytes('bytes that are no UTF-8', 400, '{"content":"heron \xff\xc0\x80"}'),
  bytes('a surrogate in UTF-8', 400, '{"content":"heron \xed\xa0\x80"}'),
  bytes('UTF-8 cut in the middle', 400, '{"content":"heron"} \xe6\x95'),
  bytes('no JSON at all', 400, '\0\x01\x02'),
  bytes('nothing', 422, ''),
  ...['gzip', 'deflate', 'br'].map((encoding) =>
    bytes(`not ${encoding}`, 400, '{"content":"heron"}', { 'content-encoding': encoding }),
  ),
  bytes('an unknown encoding', 415, '{}', { 'content-encoding': 'x' }),
  bytes('UTF-16', 415, '{\0}\0', { 'content-type': 'application/json; charset=utf-16le' }),
  bytes('an unknown charset', 415, '{}', { 'content-type': 'application/json; charset=utf-99' }),
];
