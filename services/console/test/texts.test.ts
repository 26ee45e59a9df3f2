import { describe, expect, it } from '@jest/globals';
import { activityTexts } from '../src/activity/texts.ts';
import { askTexts } from '../src/ask/texts.ts';
import { toProfileLine } from '../src/home/attributes.ts';
import { en, type TextKey } from '../src/i18n/en.ts';
import { fill } from '../src/i18n/fill.ts';
import { ja } from '../src/i18n/ja.ts';
import { zh } from '../src/i18n/zh.ts';
import { importTexts } from '../src/imports/texts.ts';
import { keyTexts } from '../src/keys/texts.ts';
import { serverTexts } from '../src/servers/texts.ts';
import { userTexts } from '../src/users/texts.ts';
import { youTexts } from '../src/you/texts.ts';

const toPlaces = (text: string): readonly string[] => (text.match(/\{\w+\}/g) ?? []).toSorted();

describe('a value of the profile', () => {
  it("is written with what it is, in the reader's language", () => {
    const memory = { id: 'fact:favourite_book', text: 'favourite book: The Wager', store: 'personal-memory' };
    expect(toProfileLine(memory, 'en')).toBe('Favourite book: The Wager');
    expect(toProfileLine(memory, 'zh')).toBe('最喜欢的书：The Wager');
    expect(toProfileLine({ ...memory, id: 'fact:boat', text: 'boat: Heron' }, 'ja')).toBe('boat: Heron');
  });
});

describe('the texts of the page', () => {
  it.each(Object.keys(en) as TextKey[])('say %s in every language, with the same values', (key) => {
    for (const texts of [zh, ja]) {
      expect(texts[key]).not.toBe('');
      expect(toPlaces(texts[key])).toEqual(toPlaces(en[key]));
    }
  });

  it.each(Object.entries({ activityTexts, askTexts, importTexts, keyTexts, serverTexts, userTexts, youTexts }))(
    'of %s say the same in every language',
    (_name, texts) => {
      const toShape = (one: Readonly<Record<string, string>>) =>
        Object.entries(one).map(([key, text]) => [key, text !== '', toPlaces(text)]);
      expect(toShape(texts.zh)).toEqual(toShape(texts.en));
      expect(toShape(texts.ja)).toEqual(toShape(texts.en));
    },
  );

  it('put values in as they are', () => {
    expect(fill('{a} and {b}', { a: '{b}', b: '$&' })).toBe('{b} and $&');
    expect(fill('{none}', {})).toBe('{none}');
  });
});
