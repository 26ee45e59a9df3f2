import { findSuperlinear, REPEATED_UNITS } from '@contextloom/testing/growth';
import { expect, it } from '@jest/globals';
import { findRelatives } from '../../src/domain/people/find-relatives.ts';

const UNITS = ['my sister ', 'my a-a-a-a ', 'Aaaa is my ', 'a dog her name ', '我家的朋友叫', '妹の妹の', 'My '];

it('finds who is named in a time that grows no faster than the text', () => {
  expect(findSuperlinear(findRelatives, { units: [...REPEATED_UNITS, ...UNITS] })).toEqual([]);
});
