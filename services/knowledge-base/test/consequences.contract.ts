import { type DocumentInput, type JsonObject, listRequestSchema } from '@contextloom/contracts';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { KnowledgeBase } from '../src/domain/knowledge-base.ts';
import type { DescribeEngine } from './support/engines.ts';
import type { TemporaryKnowledgeBase } from './support/service.ts';

let temporary: TemporaryKnowledgeBase;
let kb: KnowledgeBase;

interface Told {
  readonly user: string;
  readonly transcript?: string;
  readonly hashes: string;
}

const toEpisode = (id: string, content: string, { user, transcript = 'talk', hashes }: Told): DocumentInput => ({
  doc_id: id,
  content,
  tags: ['memory', 'episode'],
  keys: [],
  metadata: { user_id: user, memory_type: 'episode', transcript, session: '', turns: '1-2', turn_hashes: hashes },
});
const toFact = (id: string, content: string, episode: string, metadata: JsonObject & Told): DocumentInput => {
  const { user, transcript = 'talk', hashes, ...more } = metadata;
  const own = { user_id: user, memory_type: 'knowledge', transcript, session: '', turns: '1', turn_hashes: hashes };
  return { doc_id: id, content, tags: ['memory'], metadata: { ...own, episode, ...more } };
};

async function listAll(user: string) {
  const { documents } = await kb.list(listRequestSchema.parse({ user_id: user, limit: 200 }));
  return documents.filter(({ metadata }) => metadata['user_id'] === user);
}
const idsOf = async (user: string) =>
  (await listAll(user)).flatMap(({ id, tags }) => (tags.includes('retraction') ? [] : [id])).sort();

/** What follows from a change of a document in every engine, and what trust it leaves. */
export const describeConsequences = (describeEngine: DescribeEngine): void =>
  describeEngine('consequences', ({ open }) => {
    beforeAll(async () => {
      temporary = await open();
      kb = temporary.knowledgeBase;
    });
    afterAll(() => temporary.remove());

    describe('what was drawn from a document', () => {
      it('goes with its episode where it rests on that alone, in both languages, and nothing else does', async () => {
        const user = 'ann';
        await kb.add([
          toEpisode('e1', '[2026-03-01]\nAnn: I live in Leith.\nBot: Nice.', { user, hashes: 'a,b' }),
          toEpisode('e2', '[2026-03-02]\n安: 我搬到了上海。', { user, transcript: 'other', hashes: 'c' }),
          toFact('f1', 'Ann lives in Leith.', 'e1', { user, hashes: 'a' }),
          toFact('f2', '安住在上海。', 'e2', { user, transcript: 'other', hashes: 'c' }),
          {
            doc_id: 's1',
            content: 'Ann is near the sea.',
            tags: ['memory'],
            metadata: { user_id: user, derived_from: ['note:f1'] },
          },
          {
            doc_id: 's2',
            content: 'Both.',
            tags: ['memory'],
            metadata: { user_id: user, derived_from: ['note:f1', 'note:f2'] },
          },
        ]);
        const dry = await kb.follow({ userId: user, sources: ['note:e1'], change: 'forgotten', isDryRun: true });
        expect(dry).toEqual([
          { id: 'note:f1', what: 'removed', text: 'Ann lives in Leith.' },
          { id: 'note:s1', what: 'removed', text: 'Ann is near the sea.' },
          { id: 'note:s2', what: 'kept', text: 'Both.', sources_left: 1 },
        ]);
        expect(await idsOf(user)).toEqual(['e1', 'e2', 'f1', 'f2', 's1', 's2']);
        const done = await kb.delete({ id: 'e1', userId: user });
        expect(done.map(({ id, what }) => [id, what])).toEqual(dry.map(({ id, what }) => [id, what]));
        expect(await idsOf(user)).toEqual(['e2', 'f2', 's2']);
        expect(JSON.stringify(await listAll(user))).not.toContain('Leith');
        expect((await kb.get({ id: 's2', userId: user })).metadata['derived_from']).toEqual(['note:f2']);
        await kb.delete({ id: 'e2', userId: user });
        expect(await idsOf(user)).toEqual([]);
      });

      it('stays where another conversation says it too, with that as its source', async () => {
        const user = 'ben';
        const again = JSON.stringify([{ transcript: 'second', hashes: ['z'] }]);
        await kb.add([
          toEpisode('b1', '[2026-03-01]\nBen: I keep bees.', { user, hashes: 'x' }),
          toEpisode('b2', '[2026-04-01]\nBen: My bees are well.', { user, transcript: 'second', hashes: 'z' }),
          {
            ...toFact('bf', 'Ben keeps bees.', 'b1', { user, hashes: 'x', mentions: 2, said_again: again }),
            keys: ['Ben: I keep bees.', 'Ben: My bees are well.'],
          },
        ]);
        await kb.delete({ id: 'b1', userId: user });
        const fact = await kb.get({ id: 'bf', userId: user });
        expect(fact.metadata).toMatchObject({ episode: 'b2', transcript: 'second', turn_hashes: 'z', mentions: 1 });
        expect(fact.keys).toEqual(['Ben: My bees are well.']);
        expect(await kb.delete({ id: 'b2', userId: user })).toEqual([{ id: 'note:bf', what: 'removed' }]);
        expect(await idsOf(user)).toEqual([]);
      });

      it('is left out of prompts while its episode says something else, and back when it says the same again', async () => {
        const user = 'cat';
        const said = '[2026-03-01]\nCat: I live in Hull.\nCat: I have a dog.';
        await kb.add([
          toEpisode('c1', said, { user, hashes: 'a,b' }),
          toFact('cf1', 'Cat lives in Hull.', 'c1', { user, hashes: 'a', episode_turns: '1' }),
          toFact('cf2', 'Cat has a dog.', 'c1', { user, hashes: 'b', episode_turns: '2' }),
        ]);
        const corrected = await kb.update({ id: 'c1', userId: user }, { content: said.replace('Hull', 'York') });
        expect(corrected.consequences).toEqual([{ id: 'note:cf1', what: 'marked', text: 'Cat lives in Hull.' }]);
        expect((await kb.get({ id: 'cf1', userId: user })).tags).toEqual(['superseded']);
        expect((await kb.get({ id: 'cf2', userId: user })).tags).toEqual(['memory']);
        const back = await kb.update({ id: 'c1', userId: user }, { content: said });
        expect(back.consequences).toEqual([{ id: 'note:cf1', what: 'restored', text: 'Cat lives in Hull.' }]);
        const fact = await kb.get({ id: 'cf1', userId: user });
        expect([fact.tags, fact.metadata['source_changed'], fact.metadata['source_tags']]).toEqual([
          ['memory'],
          undefined,
          undefined,
        ]);
      });

      it('rests no longer on a source that says something else, and goes with the last of the others', async () => {
        const user = 'nia';
        const said = (doc_id: string, content: string) => ({
          doc_id,
          content,
          tags: ['memory'],
          metadata: { user_id: user },
        });
        await kb.add([
          said('n1', 'I keep bees in Leith.'),
          said('n2', '我在利斯养蜂。'),
          {
            doc_id: 'nd',
            content: 'Nia keeps bees.',
            tags: ['memory'],
            metadata: { user_id: user, derived_from: ['note:n1', 'note:n2'] },
          },
        ]);
        const changed = await kb.update({ id: 'n1', userId: user }, { content: 'I keep goats.' });
        expect(changed.consequences).toEqual([
          { id: 'note:nd', what: 'kept', text: 'Nia keeps bees.', sources_left: 1 },
        ]);
        expect((await kb.get({ id: 'nd', userId: user })).metadata['derived_from']).toEqual(['note:n2']);
        await kb.delete({ id: 'n2', userId: user });
        expect(await idsOf(user)).toEqual(['n1']);
      });

      it('stays where a person put it into other words', async () => {
        const user = 'dan';
        await kb.add([
          toEpisode('d1', '[2026-03-01]\nDan: I drink tea.', { user, hashes: 'a' }),
          toFact('df', 'Dan drinks tea.', 'd1', { user, hashes: 'a' }),
        ]);
        await kb.update({ id: 'df', userId: user }, { content: 'Dan drinks green tea.' });
        expect(await kb.delete({ id: 'd1', userId: user })).toMatchObject([{ id: 'note:df', what: 'kept' }]);
        expect(await idsOf(user)).toEqual(['df']);
      });

      it('is not found by the words of a fact that is gone, and decisions do not tell them', async () => {
        const user = 'eve';
        const decision = {
          relation: 'replaces',
          fact: 'ef',
          fact_text: 'Eve is a smith.',
          known: 'old',
          known_text: 'Eve is a cook.',
        };
        await kb.add([
          {
            ...toEpisode('e-1', '[2026-03-01]\nEve: I work.', { user, hashes: 'a' }),
            keys: ['Eve is a smith.', 'Eve works.'],
          },
          toFact('ef', 'Eve is a smith.', 'e-1', { user, hashes: 'a' }),
          {
            doc_id: 'dec',
            content: 'replaces: Eve is a smith.\nEve is a cook.',
            tags: ['decision'],
            metadata: { user_id: user, ...decision },
          },
        ]);
        expect(await kb.delete({ id: 'ef', userId: user })).toEqual([]);
        expect((await kb.get({ id: 'e-1', userId: user })).keys).toEqual(['Eve works.']);
        const all = JSON.stringify(await listAll(user));
        expect(all).not.toContain('smith');
        expect(all).toContain('Eve is a cook.');
      });

      it('goes with a memory of another store, and other users keep theirs', async () => {
        const drawn = (user: string): DocumentInput => ({
          doc_id: `${user}-d`,
          content: 'Lives by the sea.',
          tags: ['memory'],
          metadata: { user_id: user, derived_from: ['fact:city'] },
        });
        await kb.add([drawn('fay'), drawn('gil')]);
        const request = { userId: 'fay', sources: ['fact:city'], change: 'forgotten', isDryRun: false } as const;
        expect(await kb.follow(request)).toEqual([{ id: 'note:fay-d', what: 'removed' }]);
        expect([await idsOf('fay'), await idsOf('gil')]).toEqual([[], ['gil-d']]);
      });

      it('stays when a document is removed that another reading brings back', async () => {
        const user = 'hal';
        await kb.add([
          toEpisode('h1', '[2026-03-01]\nHal: I ski.', { user, hashes: 'a' }),
          toFact('hf', 'Hal skis.', 'h1', { user, hashes: 'a' }),
        ]);
        expect(await kb.delete({ id: 'h1', userId: user }, { retract: false })).toEqual([]);
        expect(await idsOf(user)).toEqual(['hf']);
      });
    });

    describe('what was drawn from several documents', () => {
      it('is believed as little as the least of them, whatever the caller says, and across a batch', async () => {
        const user = 'trusting';
        const trustOf = async (id: string) => (await kb.get({ id, userId: user })).metadata;
        const toSummary = (
          doc_id: string,
          derived_from: readonly string[],
          metadata: JsonObject = {},
        ): DocumentInput => ({
          doc_id,
          content: `Summary ${doc_id}.`,
          tags: ['memory'],
          metadata: { user_id: user, derived_from, ...metadata },
        });
        await kb.add([
          { ...toEpisode('t1', '[2026-03-01]\nassistant: You live in Oslo.\nuser: Hm.', { user, hashes: 'a' }) },
          { doc_id: 't2', content: 'I live in Leith.', tags: ['memory', 'note'], metadata: { user_id: user } },
          { doc_id: 't3', content: 'A page.', tags: [], metadata: { user_id: user } },
        ]);
        await kb.add([
          toSummary('mixed', ['note:t1', 'note:t2'], { trust: 'user' }),
          toSummary('of-mixed', ['note:mixed', 'typed:t2']),
          toSummary('own', ['note:t2', 'fact:city']),
          toSummary('of-page', ['note:t3']),
          toSummary('unknown', ['fact:city']),
        ]);
        expect(await trustOf('mixed')).toMatchObject({ trust: 'assistant', said_by: 'user,assistant' });
        expect(await trustOf('of-mixed')).toMatchObject({ trust: 'assistant', said_by: 'user,assistant' });
        expect(await trustOf('own')).toMatchObject({ trust: 'user' });
        expect(await trustOf('of-page')).toMatchObject({ trust: 'document' });
        expect(await trustOf('unknown')).not.toHaveProperty('trust');
        await kb.update({ id: 'own', userId: user }, { metadata: { derived_from: ['note:t1'] } });
        expect(await trustOf('own')).toMatchObject({ trust: 'assistant' });
      });
    });

    describe('trust', () => {
      it('is that of the sources which are left, and of who said it by themselves', async () => {
        const user = 'tam';
        const note = (doc_id: string, metadata: JsonObject): DocumentInput => ({
          doc_id,
          content: `Words of ${doc_id}.`,
          tags: ['memory'],
          metadata: { user_id: user, ...metadata },
        });
        await kb.add([
          note('tr1', { trust: 'assistant' }),
          note('tr2', { trust: 'user' }),
          note('tr3', { trust: 'other', derived_from: ['note:tr1', 'note:tr2'] }),
          note('tr4', { trust: 'tool', derived_from: ['note:tr1', 'note:tr2'] }),
        ]);
        const trust = async () => {
          const all = await Promise.all(['tr3', 'tr4'].map((id) => kb.get({ id, userId: user })));
          return all.map(({ metadata }) => metadata['trust']);
        };
        expect(await trust()).toEqual(['assistant', 'tool']);
        await kb.delete({ id: 'tr1', userId: user });
        expect(await trust()).toEqual(['other', 'tool']);
      });
    });

    describe('a correction that is not made yet', () => {
      it('tells what would follow from its words', async () => {
        const user = 'dry';
        const text = '[2026-03-01]\nAnn: I live in Leith.\nBot: Nice.';
        await kb.add([
          toEpisode('d1', text, { user, hashes: 'a,b' }),
          toFact('d2', 'Ann lives in Leith.', 'd1', { user, hashes: 'a', episode_turns: '1' }),
        ]);
        const asked = { userId: user, sources: ['note:d1'], change: 'corrected', isDryRun: true } as const;
        expect(await kb.follow({ ...asked, now: text.replace('Nice', 'Good') })).toEqual([]);
        expect(await kb.follow({ ...asked, now: text.replace('Leith', 'Hull') })).toMatchObject([{ what: 'marked' }]);
        expect((await kb.get({ id: 'd2', userId: user })).tags).toContain('memory');
      });
    });
  });
