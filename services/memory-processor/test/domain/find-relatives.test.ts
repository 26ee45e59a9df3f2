import { describe, expect, it } from '@jest/globals';
import { findRelatives, isNamed } from '../../src/domain/people/find-relatives.ts';

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
    [
      'My kids are Tom and Ann, and my dogs Max & Bella sleep.',
      { Tom: 'child', Ann: 'child', Max: 'pet', Bella: 'pet' },
    ],
    ["It was for my daughter Sara's birthday.", { Sara: 'daughter' }],
    ['I got a puppy two weeks ago! Her name is Coco.', { Coco: 'pet' }],
    ['I talked with someone named David about it.', { David: 'person' }],
    ["My late uncle Seán O'Brien and my old boss Anna-Lena.", { Seán: 'relative', 'Anna-Lena': 'colleague' }],
    ['My dog Friday runs. My friend Thanks me. My son Not again.', {}],
    ['My friendship Ends. The dogma Called it. Army sonnet Rome.', {}],
    ['我的好朋友叫李雷。我家的猫叫豆豆，很乖。', { 李雷: 'friend', 豆豆: 'pet' }],
    ['我朋友叫我们过去。', {}],
    ['妹の名前は結衣です。', { 結衣: 'sister' }],
    ['妹の誕生日はいつですか。', {}],
    ['My wife is Brazilian. I have no dog called Rex, and read about a man named Ove.', {}],
    ['Our neighbour Mrs Patel came, and so did Kofi, my flatmate?', { 'Mrs Patel': 'neighbour', Kofi: 'friend' }],
    ['我朋友马上就到。我同事周末加班。我女儿小学在附近。', {}],
    ['我姐姐林芳上个月搬家了。老板娘秦姐要找人。', { 林芳: 'sister', 秦姐: 'colleague' }],
    ['友達の結婚式に出た。兄のギターを借りた。', {}],
  ])('in %j', (words, expected) => {
    expect(Object.fromEntries(findRelatives(words))).toEqual(expected);
  });
});

describe('a name that stands aside', () => {
  it('is not taken for a relative where it is that of a listener', () => {
    const words = 'That is my sister, Caroline! And that is my aunt, Petra.';
    expect(Object.fromEntries(findRelatives(words, new Set(['Caroline'])))).toEqual({ Petra: 'relative' });
  });
});

it.each([
  ['Mia Holm', true],
  ['知夏', true],
  ['mia', false],
  ['Speaker 1', false],
  ['+44 7700 900123', false],
  ['mia@example.org', false],
  ['Interviewer', false],
  ['客服', false],
])('%s is a name: %s', (speaker, expected) => {
  expect(isNamed(speaker)).toBe(expected);
});
