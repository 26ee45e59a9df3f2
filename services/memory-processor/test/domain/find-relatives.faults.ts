import { findSuperlinear, REPEATED_UNITS } from '@contextloom/testing/growth';
import { expect, it } from '@jest/globals';
import { findRelatives, findSpokenOf, findSpokenTo } from '../../src/domain/people/find-relatives.ts';

const UNITS = [
  'my sister ',
  'my a-a-a-a ',
  'Aaaa is my ',
  'a dog her name ',
  'no dog called ',
  '我家的朋友叫',
  '我的朋友王',
  '跟阿澄',
  '妹の妹の',
  '妹は美子',
  'My ',
];

it.each([findRelatives, findSpokenOf, findSpokenTo])(
  '%p finds who is named in a time that grows no faster than the text',
  (find: (words: string) => unknown) => {
    expect(findSuperlinear(find, { units: [...REPEATED_UNITS, ...UNITS] })).toEqual([]);
  },
);
