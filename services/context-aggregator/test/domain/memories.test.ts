import { describe, expect, it } from '@jest/globals';
import { parseSearchAnswer, parseTotal, withoutRetoldEpisodes } from '../../src/domain/memories.ts';

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
    expect(parseSearchAnswer(toAnswer({ success: true, results: [result] }), 'ann')).toEqual(expected);
    expect(parseSearchAnswer({ text: JSON.stringify({ results: [result] }) }, 'ann')).toEqual(expected);
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
    expect(reading).toEqual({ kind: 'read', memories: [memory], foreign: 1 });
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

describe('withoutRetoldEpisodes', () => {
  const episode = (id: string) => ({
    id,
    content: id,
    tags: ['memory', 'episode'],
    metadata: { memory_type: 'episode' },
  });
  const fact = (id: string, episodes: unknown) => ({
    id,
    content: id,
    tags: ['memory'],
    metadata: { memory_type: 'event', episodes },
  });
  const idsOf = (memories: Parameters<typeof withoutRetoldEpisodes>[0]) =>
    withoutRetoldEpisodes(memories).map(({ id }) => id);

  it.each([
    ['a list', ['e1', 'e2']],
    ['ids joined by commas', 'e1, e2'],
  ])('shows a fact and not the episodes that it names as %s', (_name, episodes) => {
    expect(idsOf([episode('e1'), fact('f', episodes), episode('e2'), episode('e3')])).toEqual(['f', 'e3']);
  });

  it('shows a fact and not the one episode that it names', () => {
    const telling = { ...fact('f', undefined), metadata: { memory_type: 'event', episode: 'e2' } };
    expect(idsOf([episode('e1'), episode('e2'), telling])).toEqual(['e1', 'f']);
  });

  it('keeps episodes that no fact names', () => {
    expect(idsOf([episode('e1'), fact('f', undefined), fact('g', 7)])).toEqual(['e1', 'f', 'g']);
  });

  it('never hides a fact, even one that another fact names', () => {
    expect(idsOf([fact('f', ['g', 'f']), fact('g', ['f'])])).toEqual(['f', 'g']);
  });

  it('does not let an episode hide another', () => {
    const naming = { ...episode('e1'), metadata: { memory_type: 'episode', episodes: ['e2'] } };
    expect(idsOf([naming, episode('e2')])).toEqual(['e1', 'e2']);
  });
});
