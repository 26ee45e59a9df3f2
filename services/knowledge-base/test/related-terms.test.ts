import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { toSearchTokens } from '../src/domain/related-terms.ts';
import { RELATED } from '../src/domain/tuning.ts';
import { createWordnetLexicon } from '../src/lexicon/wordnet-lexicon.ts';
import { openLexicon } from '../src/open-lexicon.ts';
import { openTemporary } from './support/service.ts';

const lexicon = openLexicon();
const refuse = (error: unknown) => {
  throw error;
};

describe('the lexicon', () => {
  it.each([
    ['allergic', 'allergy'],
    ['allergies', 'allergic'],
    ['spectacles', 'glasses'],
    ['buy', 'purchase'],
    ['thefts', 'stealing'],
    ['planned', 'plan'],
  ])('relates %s to %s', async (word, related) => {
    expect((await lexicon.findRelated([word])).get(word)).toContain(related);
  });

  it('relates nothing to what is no word of it', async () => {
    const words = ['zzzqq', '', '5', '猫', 'a b', '__proto__', 'constructor', '../etc'];
    expect([...(await lexicon.findRelated(words)).values()].flat()).toEqual(expect.not.arrayContaining(['undefined']));
    expect((await lexicon.findRelated(['zzzqq'])).get('zzzqq')).toEqual([]);
  });

  it('gives at most sixteen plain words of any word, never the word itself', async () => {
    await fc.assert(
      fc.asyncProperty(fc.stringMatching(/^[a-z]{1,8}$/), async (word) => {
        const related = (await lexicon.findRelated([word])).get(word) ?? [];
        expect(related.length).toBeLessThanOrEqual(16);
        expect(related).not.toContain(word);
        for (const one of related) expect(one).toMatch(/^[a-z]+$/);
      }),
    );
  });
});

describe('the terms that a search looks up', () => {
  it('are other forms of irregular words and related ones, the former for more', async () => {
    const { terms, related = [] } = await toSearchTokens('Who bought spectacles?', { lexicon, onFailure: refuse });
    expect(terms).toEqual(['bought', 'spectacl']);
    expect(related).toContainEqual({ term: 'bui', of: 'bought', weight: RELATED.form });
    expect(related).toContainEqual({ term: 'glass', of: 'spectacl', weight: RELATED.word });
  });

  it('are the own ones and their forms while the lexicon cannot be read', async () => {
    const failures: unknown[] = [];
    const broken = createWordnetLexicon('/nowhere');
    const tokens = await toSearchTokens('went', { lexicon: broken, onFailure: (error) => failures.push(error) });
    expect(tokens.related?.map(({ term }) => term).sort()).toEqual(['go', 'goe', 'gone']);
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
        const { terms, related = [] } = await toSearchTokens(words.join(' '), { lexicon, onFailure: refuse });
        expect(related.length).toBeLessThanOrEqual(RELATED.words * RELATED.perWord);
        for (const { term, of } of related) {
          expect(terms).not.toContain(term);
          expect(terms).toContain(of);
        }
      }),
    );
  });

  it('find what says it in other words, after what says it in the same', async () => {
    const { knowledgeBase, remove } = await openTemporary();
    try {
      const documents = ['My new glasses are round.', 'The spectacles were dear.', 'It rained in Graz.'];
      await knowledgeBase.add(documents.map((content, at) => ({ doc_id: `d${at}`, content, tags: [], metadata: {} })));
      const found = await knowledgeBase.search({ query: 'spectacles', top_k: 3 });
      expect(found.map(({ id }) => id)).toEqual(['d1', 'd0', 'd2']);
    } finally {
      await remove();
    }
  });
});
