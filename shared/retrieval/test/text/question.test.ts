import { describe, expect, it } from '@jest/globals';
import { readQuestion } from '../../src/text/question.ts';

const toWords = (text: string): string =>
  readQuestion(text)
    .sought.replace(/[\s?？!.。,，]+/gu, ' ')
    .trim();

describe('readQuestion', () => {
  it.each([
    ['How much is the rent now?', 'is the rent'],
    ['What date did the test take place?', 'did the test take place'],
    ['Do you remember which doctor I saw these days?', 'which doctor I saw'],
    ['我现在住在哪里？', '我 住在'],
    ['你还记得我妹妹是什么时候结婚的吗', '我妹妹是 结婚的吗'],
    ['我現在住在哪裡？', '我 住在'],
    ['What has running been great for?', 'What has running been great for'],
    ['Is the amazing cook on the right?', 'Is the amazing cook on the right'],
    ['Oh great, thanks! Well, no. Where is the well?', 'Where is the well'],
  ])('leaves out of "%s" what only asks', (text, sought) => {
    expect(toWords(text)).toBe(sought);
  });

  it('finds by words of measure, which are not what is looked for', () => {
    const { words, sought } = readQuestion('How long has she had her snakes?');
    expect([words, sought].map((text) => text.replace(/\s+/gu, ' ').trim())).toEqual([
      'How long has she had her snakes?',
      'has she had her snakes?',
    ]);
  });

  it.each([
    'Where do I live now?',
    'Am I still vegetarian?',
    'my current job',
    '我目前在哪个城市生活？',
    '我最近在忙什么',
  ])('takes "%s" to be about how things are now', (text) => {
    expect(readQuestion(text).isOfNow).toBe(true);
  });

  it.each(['Where did I live in 2019?', '我以前住在哪里？', 'I know the snow'])('does not take "%s" to be', (text) => {
    expect(readQuestion(text).isOfNow).toBe(false);
  });

  it.each([
    'Hello!',
    'How are you today?',
    "Thanks, that's all for now.",
    'See you tomorrow.',
    'ok',
    'Ha, very funny.',
    "What's up?",
    '你好！',
    '今天过得怎么样？',
    '好的，谢谢。',
    '哈哈哈哈',
    '嗯嗯',
    '明天见。',
    '早上好',
    '',
  ])('looks for nothing in "%s"', (text) => {
    expect(readQuestion(text).isEmpty).toBe(true);
  });

  it.each([
    ['What did you recommend against sore feet?', 'What you against sore feet'],
    ['Which port, according to you, is free?', 'Which port you is free'],
    ['Which order had you suggested for the clauses?', 'Which order you for the clauses'],
    ['打包后怎么找东西，你出过什么主意？', '打包后 找东西 你 主意'],
    ['你说先付哪张账单？', '你 先付 张账单'],
  ])('takes "%s" to ask for what was answered before', (text, sought) => {
    expect(readQuestion(text).isOfAnswers).toBe(true);
    expect(toWords(text)).toBe(sought);
  });

  it.each([
    'Where did I put your letter?',
    'Can you tell me where I live?',
    'How would you suggest I begin?',
    '你还记得我住在哪里吗？',
  ])('does not take "%s" to ask for what was answered', (text) => {
    expect(readQuestion(text).isOfAnswers).toBe(false);
  });

  it('looks for what there is of a question for an answer that names no matter', () => {
    expect(readQuestion('What did you suggest?')).toMatchObject({ isOfAnswers: true, isEmpty: false });
  });

  it('does not look for the name of the one who is spoken to', () => {
    expect(readQuestion('Good morning, Marlow.', { names: ['Marlow'] }).isEmpty).toBe(true);
    expect(readQuestion('Good morning, Marlow.').isEmpty).toBe(false);
  });

  it.each(['What do I drink in the morning?', '我早上喝什么？', 'Can somebody cook me hake?', '好吃的面在哪里'])(
    'looks for something in "%s"',
    (text) => {
      expect(readQuestion(text)).toMatchObject({ isEmpty: false });
    },
  );

  it('takes a pasted page for what it is', () => {
    const page = 'now and then '.repeat(200);
    expect(readQuestion(page)).toMatchObject({ sought: page, isOfNow: false });
  });
});
