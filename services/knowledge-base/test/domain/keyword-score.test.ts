import { tokenize } from '@contextloom/retrieval';
import { describe, expect, it } from '@jest/globals';
import { scoreByWords } from '../../src/domain/keyword-score.ts';

function order(query: string, ...texts: string[]): readonly string[] {
  const documents = texts.map((text) => ({ text, ...tokenize(text, { keepStopWords: true }) }));
  return [...scoreByWords(documents, tokenize(query), documents.length)]
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ document }) => document.text);
}

describe('scoreByWords', () => {
  it('counts a rare word for more than a common one', () => {
    const common = ['tea with Ann', 'tea with Bob', 'tea with Cem', 'tea at noon'];
    expect(order('tea saffron', ...common, 'saffron rice')[0]).toBe('saffron rice');
  });

  it('counts a word for more in a short text than in a long one', () => {
    const long = 'a walk and a talk about the weather, the dog, the neighbours and saffron';
    expect(order('saffron', long, 'saffron rice')).toEqual(['saffron rice', long]);
  });

  it('counts a pair of Chinese characters for more than the same characters apart', () => {
    expect(order('草莓', '莓果和草地', '草莓')).toEqual(['草莓', '莓果和草地']);
  });

  it('finds a word of one Chinese character', () => {
    expect(order('猫', '我的猫叫小白', '她去了上海')).toEqual(['我的猫叫小白']);
  });

  it('gives every document that holds a word a score above 0, though all hold it', () => {
    expect(order('tea', 'tea', 'tea', 'tea')).toHaveLength(3);
  });

  it('scores by those that hold a word, whatever else was read', () => {
    const tokens = (text: string) => tokenize(text, { keepStopWords: true });
    const holding = ['saffron rice', 'rice with a long tail of words'].map(tokens);
    const others = ['tea', 'a very long text about nothing that was asked for'].map(tokens);
    const scoresOf = (documents: typeof holding) =>
      scoreByWords(documents, tokenize('saffron rice'), 9).map(({ score }) => score);
    expect(scoresOf([...holding, ...others])).toEqual([...scoresOf(holding), 0, 0]);
  });

  it('takes no document for none', () => {
    expect(scoreByWords([], tokenize('tea'), 0)).toEqual([]);
  });
});
