import { GRADES } from '@contextloom/retrieval/ranking';
import { describe, expect, it } from '@jest/globals';
import { toAttributeWords } from '../../src/domain/stores/attribute-words.ts';
import { chooseMemories } from '../../src/domain/stores/stored-memory.ts';

const profile = [
  ['name', 'Ann Reid'],
  ['city', 'Leith'],
  ['hometown', 'Oban'],
  ['age', '34'],
  ['birthday', '5 May'],
  ['job', 'carpenter'],
  ['employer', 'Forth Ports'],
  ['email', 'ann@example.org'],
  ['phone', '0131 555 0199'],
  ['native_language', 'Gaelic'],
  ['favourite_colour', 'green'],
  ['favourite_food', 'haggis'],
] as const;
const memories = profile.map(([key, value]) => ({
  own: key,
  text: `${key.replaceAll('_', ' ')}: ${value}`,
  askedBy: toAttributeWords(key),
}));

describe('questions about the profile', () => {
  it.each([
    ['Where do I live?', 'city'],
    ['Which city am I living in?', 'city'],
    ['Where is my home?', 'city'],
    ['How old am I?', 'age'],
    ['What is my age?', 'age'],
    ['What am I called?', 'name'],
    ['When was I born?', 'birthday'],
    ['Where did I grow up, where was I born?', 'hometown'],
    ['What do I do for work?', 'job'],
    ['Who do I work for?', 'employer'],
    ['How can people contact me by mail?', 'email'],
    ['What number can you reach me at?', 'phone'],
    ['Which language did I speak first?', 'native_language'],
    ['Which colour do I like best?', 'favourite_colour'],
    ['What food do I like?', 'favourite_food'],
    ['我住在哪里？', 'city'],
    ['我现在住哪个城市？', 'city'],
    ['我多大了？', 'age'],
    ['我今年几岁？', 'age'],
    ['我叫什么名字？', 'name'],
    ['我的生日是哪天？', 'birthday'],
    ['我是做什么工作的？', 'job'],
    ['我在哪家公司上班？', 'employer'],
    ['我的电话号码是多少？', 'phone'],
  ])('%s finds %s', (question, key) => {
    expect(chooseMemories(question, memories, 3).map(({ own }) => own)).toContain(key);
  });

  it.each(['Where is the harbour ferry?', 'What did Ben cook?', '渡轮在哪里买票？', 'How are you?'])(
    '%s finds nothing of the profile that is sure',
    (question) => {
      for (const { score } of chooseMemories(question, memories, 3)) expect(score).toBeLessThan(GRADES.sure);
    },
  );
});
