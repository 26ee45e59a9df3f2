import { describe, expect, it } from '@jest/globals';
import { parseSearchAnswer, parseTotal } from '../../src/domain/memories/memories.ts';

const ann = { user_id: 'ann', importance: 7, memory_type: 'preference' };
const flat = { id: 'm1', content: '喜欢绿茶', tags: ['memory'], metadata: ann, score: 0.9 };
const nested = { score: 0.9, document: { id: 'm1', content: '喜欢绿茶', tags: ['memory'], metadata: ann } };
const memory = { id: 'm1', content: '喜欢绿茶', tags: ['memory'], metadata: ann };

function toAnswer(structured: unknown, text = '') {
  return { structured, text };
}

describe('parseSearchAnswer', () => {
  it.each([
    ['flat', flat],
    ['nested (not read as empty)', nested],
    ['flat and nested at once', { ...flat, document: nested.document }],
  ])('reads results that are %s', (_name, result) => {
    const expected = { kind: 'read', memories: [memory], foreign: 0 };
    expect(parseSearchAnswer(toAnswer({ success: true, results: [result] }), 'ann')).toMatchObject(expected);
    expect(parseSearchAnswer({ text: JSON.stringify({ results: [result] }) }, 'ann')).toMatchObject(expected);
  });

  it('reads the text when the structured content is of another shape', () => {
    const text = JSON.stringify({ success: true, results: [nested] });
    expect(parseSearchAnswer(toAnswer({ result: text }, text), 'ann')).toMatchObject({ memories: [memory] });
  });

  it('takes missing ids, tags and null fields for empty ones', () => {
    const result = { id: null, content: 'x', tags: null, metadata: { user_id: 'ann' } };
    expect(parseSearchAnswer(toAnswer({ results: [result] }), 'ann')).toEqual({
      kind: 'read',
      memories: [{ id: '', content: 'x', tags: [], metadata: { user_id: 'ann' } }],
      foreign: 0,
    });
  });

  it.each([
    ['another user', { ...flat, metadata: { user_id: 'bob' } }],
    ['no user in its metadata', { ...flat, metadata: {} }],
    ['no metadata', { id: 'm1', content: 'x' }],
    ['a user of another JSON type', { ...flat, metadata: { user_id: 5 } }],
  ])('leaves out a result with %s', (_name, result) => {
    const reading = parseSearchAnswer(toAnswer({ results: [result, flat] }), 'ann');
    expect(reading).toMatchObject({ kind: 'read', memories: [memory], foreign: 1 });
  });

  it.each([
    ['no content at all', undefined, ''],
    ['prose', undefined, 'I found nothing.'],
    ['JSON of another shape', undefined, '{"hits":[]}'],
    ['a report of failure', { success: false, results: [] }, ''],
    ['results that are no list', { results: 'none' }, ''],
    ['a result without content', { results: [{ id: 'x', metadata: ann }] }, ''],
    ['a number', 42, '42'],
    ['null', null, 'null'],
  ])('finds %s invalid', (_name, structured, text) => {
    expect(parseSearchAnswer(toAnswer(structured, text), 'ann')).toEqual({ kind: 'invalid' });
  });
});

describe('parseTotal', () => {
  it.each([
    [{ success: true, documents: [], total: 12 }, '', 12],
    [undefined, '{"total":3}', 3],
    [undefined, 'three', undefined],
    [{ total: -1 }, '', undefined],
  ])('reads %j and %j as %j', (structured, text, total) => {
    expect(parseTotal({ structured, text })).toBe(total);
  });
});
