import { describe, expect, it } from '@jest/globals';
import { toQuestionTokens } from '../../src/ranking/index.ts';
import { stemTerm } from '../../src/text/index.ts';
import { findConceptWords, relateConcept } from '../../src/thesaurus/concepts.ts';

const relationsOf = (word: string) => new Map(relateConcept(word).map(({ term, relation }) => [term, relation]));

describe('the thesaurus of concepts', () => {
  it('relates words of one concept, in both languages', () => {
    expect(relationsOf('父亲').get('爸爸')).toBe('same');
    expect(relationsOf('父亲').get('father')).toBe('same');
    expect(relationsOf(stemTerm('salary')).get(stemTerm('wage'))).toBe('same');
    expect(relationsOf(stemTerm('salary')).get('薪水')).toBe('same');
  });

  it('relates a kind to what it is a kind of, and the other way round', () => {
    expect(relationsOf('宠物').get('狗')).toBe('narrower');
    expect(relationsOf('宠物').get('dog')).toBe('narrower');
    expect(relationsOf('狗').get('宠物')).toBe('wider');
    expect(relationsOf('dog').get('pet')).toBe('wider');
  });

  it('relates what people ask by to what they tell, one way', () => {
    expect(relationsOf('过敏').get('花粉')).toBe('narrower');
    expect(relationsOf('花粉').get('过敏')).toBeUndefined();
  });

  it('names the rest of a word that is longer than one term', () => {
    expect(relateConcept('番茄')).toContainEqual({ term: '西红', rest: ['红柿'], relation: 'same' });
  });

  it('knows nothing of other words', () => {
    for (const word of ['zzzqq', '', '__proto__', 'constructor', '龘']) expect(relateConcept(word)).toEqual([]);
  });

  it('finds the longest words of a text, in traditional characters too', () => {
    expect(findConceptWords('我的自行车和電視')).toEqual(['自行车', '电视']);
    expect(findConceptWords('nothing of it')).toEqual([]);
  });
});

describe('the words of a question', () => {
  it('are cut where a dictionary cuts them, without those that texts about anything have', () => {
    expect(toQuestionTokens('宠物的身体有什么毛病？').words).toEqual(['宠物', '身体', '毛病']);
    expect(toQuestionTokens('What is my job?').words).toEqual([]);
  });

  it('stay uncut in languages that share characters with Chinese', () => {
    expect(toQuestionTokens('東京の天気').words).toEqual([]);
  });

  it('have words of the same concept, and none of the question', () => {
    const { terms, unigrams, expansions = [] } = toQuestionTokens('Did my father get a pay raise? 爸爸 dad');
    expect(expansions.map(({ term }) => term)).toContain('salari');
    for (const { term, rest = [] } of expansions) {
      if (rest.length === 0) expect([...terms, ...unigrams]).not.toContain(term);
    }
  });
});
