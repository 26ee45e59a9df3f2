import { describe, expect, it } from '@jest/globals';
import { findRelatives } from '../src/things/relatives.ts';

describe('who is named with what they are to the one who speaks', () => {
  it.each([
    ['Which matters, because my son Kit comes to the yard after school.', { Kit: 'son' }],
    ['My sister Ros from Leeds, Kit obviously, and my brother Callum.', { Ros: 'sister', Callum: 'brother' }],
    ["Oh, and we've got a cat called Pylon, a rescue.", { Pylon: 'pet' }],
    ['Anya is my best friend.', { Anya: 'friend' }],
    ['My boss is called Dora.', { Dora: 'colleague' }],
    [
      'Ros, my sister, has a boat. Thankfully, my son is well. Being my boss is hard. Marrying my partner is next.',
      { Ros: 'sister' },
    ],
    ['My mother said so, and my sister is in Oslo.', {}],
    ['Who is my girlfriend?', {}],
    ['Is Ros your sister? My friend never calls.', {}],
    ['我儿子叫小明，今年九岁。', { 小明: 'son' }],
    ['知夏是我妹妹。', { 知夏: 'sister' }],
    ['我姐姐说她叫车来。', {}],
    ['妹の結衣は京都にいます。', { 結衣: 'sister' }],
    ['タマという猫を飼っています。', { タマ: 'pet' }],
    ['妹はケーキが好きです。', {}],
  ])('in %j', (words, expected) => {
    expect(Object.fromEntries(findRelatives(words))).toEqual(expected);
  });
});
