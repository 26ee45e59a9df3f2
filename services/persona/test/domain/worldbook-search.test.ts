import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import type { WorldBookEntry } from '../../src/domain/worldbook.ts';
import { createWorldBookSearch } from '../../src/domain/worldbook-search.ts';

function entry(id: string, keywords: string[], title: string, ...texts: string[]): WorldBookEntry {
  return { id, keywords, title, chunks: texts.map((text, at) => ({ id: `${id}-${at + 1}`, text })) };
}

const book = [
  entry('pier', ['码头', '渡轮'], '旧码头', '栈桥九十步，晒网的人常来。', '码头的亭子里有一只喇叭。'),
  entry('tower', ['灯塔'], '北岬灯塔', '灯塔下面种着韭菜。'),
  entry('kettle', ['kettle', 'tea'], 'The kettle', 'Tea is made in a brown pot.', 'A kettle on a steam boat.'),
  entry('clock', ["Ivo's clock"], 'The mantel clock', 'It stops because he winds it twice.'),
];
const searchBook = createWorldBookSearch(book);
const search = (query: string, topK = 10) => searchBook(query, topK);
const scores = (query: string) => search(query).map(({ score, chunkId, entryId }) => [chunkId ?? entryId, score]);

describe('a world book search', () => {
  it('counts 2 for a keyword, 1 for the title and 3 for the text', () => {
    expect(scores('灯塔')).toEqual([['tower-1', 6]]);
    expect(scores('韭菜')).toEqual([['tower-1', 3]]);
    expect(scores('mantel')).toEqual([['clock', 1]]);
    expect(scores('渡轮')).toEqual([['pier', 2]]);
  });

  it('gives chunks with their text, and an entry without them when only keywords or title match', () => {
    expect(search('韭菜')).toEqual([{ score: 3, entryId: 'tower', chunkId: 'tower-1', text: '灯塔下面种着韭菜。' }]);
    expect(search('渡轮')).toEqual([{ score: 2, entryId: 'pier' }]);
  });

  it('answers best first and at most top_k', () => {
    expect(scores('kettle tea brown')).toEqual([
      ['kettle-1', 11],
      ['kettle-2', 8],
    ]);
    expect(search('kettle tea brown', 1)).toHaveLength(1);
  });

  it('keeps the order of the book among equals', () => {
    expect(scores('韭菜 喇叭 pot')).toEqual([
      ['pier-2', 3],
      ['tower-1', 3],
      ['kettle-1', 3],
    ]);
  });

  it('does not mind case or full width', () => {
    expect(scores('KETTLE')).toEqual(scores('kettle'));
    expect(scores('ＫＥＴＴＬＥ')).toEqual(scores('kettle'));
  });

  it('finds the words of a Chinese sentence without spaces', () => {
    expect(scores('请问灯塔在哪里？')).toEqual([['tower-1', 6]]);
    expect(scores('那只喇叭还响吗')).toEqual([['pier-2', 3]]);
  });

  it('counts a keyword that lies inside a longer query word', () => {
    expect(scores('旧码头')).toEqual([['pier', 3]]);
  });

  it('finds one Chinese character', () => {
    expect(scores('塔')).toEqual([['tower-1', 6]]);
  });

  it('passes over words that every text has, unless there are no others', () => {
    expect(scores('Where is the kettle?')).toEqual(scores('kettle'));
    expect(search('the').length).toBeGreaterThan(0);
  });

  it('finds longer words by four letters of their beginning, and never inside another word', () => {
    expect(scores('stea').map(([id]) => id)).toEqual(['kettle-2']);
    expect(scores('tea').map(([id]) => id)).toEqual(['kettle-1']);
    expect(scores('antel')).toEqual([]);
    expect(scores('ste')).toEqual([]);
  });

  it('finds a word by its plural, its possessive and without its accents', () => {
    expect(scores('kettles')).toEqual(scores('kettle'));
    expect(scores('Ivo’s')).toEqual([['clock', 2]]);
    expect(scores('kéttle')).toEqual(scores('kettle'));
  });

  it.each(['', '  ', '？！', '飞船', 'xyzzy'])('finds nothing for %j', (query) => {
    expect(search(query)).toEqual([]);
  });

  it('finds every entry by each of its keywords, whatever they are', () => {
    const keyword = fc.stringMatching(/^([a-z]{2,8}|[\u4e00-\u9fa5]{1,4})$/);
    fc.assert(
      fc.property(fc.uniqueArray(keyword, { minLength: 1, maxLength: 6 }), (keywords) => {
        const entries = keywords.map((word, at) => entry(`e${at}`, [word], '', 'x'));
        for (const [at, word] of keywords.entries()) {
          const found = createWorldBookSearch(entries)(word, 100).map(({ entryId }) => entryId);
          expect(found).toContain(`e${at}`);
        }
      }),
    );
  });
});
