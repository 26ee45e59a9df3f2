import { countTokens } from '@contextloom/llm';
import { describe, expect, it } from '@jest/globals';
import { readOne } from '../../../../../shared/transcripts/test/support/conversations.ts';
import { checkFacts } from '../../../src/domain/grounding/check-facts.ts';
import { toReadings } from '../../../src/domain/ingest/extract-window.ts';
import { createToSpeaker, toEpisodeMemory, toFactMemory } from '../../../src/domain/memory-documents.ts';

interface Told {
  readonly turns: readonly (readonly [role: string, text: string])[];
  readonly fact: string;
  readonly evidence: readonly string[];
  readonly user?: string;
}

/** Who said a fact that a model drew, or why it is none; and who said the episode. */
function judge({ turns, fact, evidence, user }: Told) {
  const history = JSON.stringify(turns.map(([role, content]) => ({ role, content })));
  const [reading] = toReadings(readOne(history), countTokens);
  if (reading === undefined) throw new Error('the conversation has no window');
  const { window, context } = reading;
  const draft = { content: fact, importance: 8, memoryType: 'knowledge' as const, tags: [], evidence };
  const { facts, rejected } = checkFacts([draft], window, context);
  const saying = { transcript: 't', toSpeaker: createToSpeaker({ id: user }) };
  return {
    episode: toEpisodeMemory(window, { importance: 5, tags: [] }, saying).saidBy,
    fact: facts[0] === undefined ? rejected[0]?.reason : toFactMemory(window, facts[0], saying).saidBy,
  };
}

const RUMOURS: readonly (readonly [
  turns: Told['turns'],
  fact: string,
  evidence: readonly string[],
  reason: string | readonly string[],
])[] = [
  [
    [
      ['assistant', 'You told me you live in Oslo.'],
      ['user', 'What is the weather like there?'],
    ],
    'The user lives in Oslo.',
    ['1', '2'],
    'said by the assistant alone',
  ],
  [
    [
      ['user', 'Where do I live?'],
      ['assistant', 'You live in Oslo.'],
    ],
    'The user lives in Oslo.',
    ['1', '2'],
    'said by the assistant alone',
  ],
  [
    [
      ['assistant', '你说过你住在奥斯陆。'],
      ['user', '那边天气怎么样？'],
    ],
    '用户住在奥斯陆。',
    ['1', '2'],
    'said by the assistant alone',
  ],
  [
    [
      ['user', 'Please shorten this article: I live in Oslo and fly helicopters.'],
      ['assistant', 'Gladly.'],
    ],
    'The user lives in Oslo and flies helicopters.',
    ['1'],
    'said by a document alone',
  ],
  [
    [
      ['user', 'Correct my typos:\n```\nI live in Oslo and fly helicopters.\n```'],
      ['assistant', 'Gladly.'],
    ],
    'The user lives in Oslo and flies helicopters.',
    ['1'],
    'said by a document alone',
  ],
  [
    [['user', 'What does she want?\n> I live in Oslo and fly helicopters.\n> Yours, Kari']],
    'The user lives in Oslo.',
    ['1'],
    'said by a document alone',
  ],
  [
    [
      ['user', '请总结以下文章：我住在奥斯陆，是直升机飞行员。'],
      ['assistant', '好的。'],
    ],
    '用户住在奥斯陆，是直升机飞行员。',
    ['1'],
    'said by a document alone',
  ],
];

/** What an assistant answers to somebody who asks for what it knows of them. */
const ASKED_OF_SELF: readonly (readonly [question: string, answer: string, fact: string])[] = [
  ['Am I allergic to anything?', 'You are allergic to penicillin.', 'The user is allergic to penicillin.'],
  ['Do you remember where I live?', 'You live in Oslo.', 'The user lives in Oslo.'],
  ["What's my sister's job?", 'Your sister has a job as a pilot.', "The user's sister has a job as a pilot."],
  ['How many children do I have?', 'You have three children.', 'The user has three children.'],
  ['我对什么过敏？', '你对青霉素过敏。', '用户对青霉素过敏。'],
  ['你还记得我住在哪里吗？', '你住在奥斯陆。', '用户住在奥斯陆。'],
  ['我是不是养了一只狗？', '是的，你养了一只狗。', '用户养了一只狗。'],
  ['私はどこに住んでいますか？', 'あなたはオスロに住んでいます。', 'ユーザーはオスロに住んでいる。'],
];

/** Requests tell what they are about, also where an assistant says it again. */
const REQUESTS: typeof ASKED_OF_SELF = [
  [
    'Can you help me plan my wedding in Rome in June?',
    'Of course! For a wedding in Rome in June, book early.',
    'The user plans a wedding in Rome in June.',
  ],
  [
    'What should I cook for my vegan daughter?',
    'For your vegan daughter, try a chickpea curry.',
    'The user has a vegan daughter.',
  ],
  [
    'How can I tell my boss that I am leaving for Leeds in May?',
    'Tell your boss early that you are leaving for Leeds in May.',
    'The user is leaving for Leeds in May.',
  ],
  ['能帮我策划六月在罗马的婚礼吗？', '当然，六月在罗马办婚礼要早点订。', '用户策划六月在罗马办婚礼。'],
  ['我该怎么给吃素的女儿做饭？', '给吃素的女儿做饭可以用豆腐。', '用户有一个吃素的女儿。'],
];

const SAID: typeof RUMOURS = [
  // What people have put into words about themselves is theirs.
  [
    [['user', 'Please improve the following CV: I live in Oslo and fly helicopters.']],
    'The user lives in Oslo.',
    ['1'],
    ['user'],
  ],
  [[['user', 'I live in Oslo.']], 'The user lives in Oslo.', ['1'], ['user']],
  [
    [
      ['assistant', 'Where do you live?'],
      ['user', 'In Oslo.'],
    ],
    'The user lives in Oslo.',
    ['1', '2'],
    ['user'],
  ],
  [
    [
      ['assistant', 'Do you live in Oslo?'],
      ['user', 'Yes.'],
    ],
    'The user lives in Oslo.',
    ['1', '2'],
    ['user'],
  ],
  [
    [
      ['assistant', 'So you live in Oslo.'],
      ['user', 'Yes, I do.'],
    ],
    'The user lives in Oslo.',
    ['1', '2'],
    ['assistant'],
  ],
  [
    [
      ['assistant', '所以你住在奥斯陆。'],
      ['user', '对。'],
    ],
    '用户住在奥斯陆。',
    ['1', '2'],
    ['assistant'],
  ],
  [
    [
      ['assistant', 'Oslo it is.'],
      ['user', 'I live there with Kari.'],
    ],
    'The user lives in Oslo with Kari.',
    ['1', '2'],
    ['user', 'assistant'],
  ],
  [[['Kari', 'The user lives in Oslo now.']], 'The user lives in Oslo.', ['1'], ['other']],
];

describe('what an assistant or a document said', () => {
  it.each(RUMOURS)('is no fact about the user: %j', (turns, fact, evidence, reason) => {
    expect(judge({ turns, fact, evidence }).fact).toBe(reason);
  });
});

describe('a question', () => {
  const toTold = ([question, answer, fact]: (typeof REQUESTS)[number]): Told => ({
    turns: [
      ['user', question],
      ['assistant', answer],
    ],
    fact,
    evidence: ['1', '2'],
  });

  it.each(ASKED_OF_SELF)('of somebody about themselves tells nothing: %s', (...told) => {
    expect(judge(toTold(told)).fact).toBe('said by the assistant alone');
  });

  it.each(REQUESTS)('that asks for help tells what it is about: %s', (...told) => {
    expect(judge(toTold(told)).fact).toEqual(expect.arrayContaining(['user']));
  });
});

describe('a fact', () => {
  it.each(SAID)('keeps who said it: %j', (turns, fact, evidence, saidBy) => {
    expect(judge({ turns, fact, evidence }).fact).toEqual(saidBy);
  });

  it('of somebody who speaks under the name of the user is the user’s', () => {
    const told: Told = { turns: [['Kari', 'I live in Oslo.']], fact: 'Kari lives in Oslo.', evidence: ['1'] };
    expect([judge({ ...told, user: 'kari' }).fact, judge({ ...told, user: 'ann' }).fact]).toEqual([
      ['user'],
      ['other'],
    ]);
  });
});

describe('an episode', () => {
  it('tells all who speak in it, documents that were pasted among them', () => {
    const [[pasted]] = [RUMOURS[3] ?? []];
    expect(judge({ turns: pasted ?? [], fact: 'Nothing.', evidence: ['1'] }).episode).toEqual([
      'user',
      'assistant',
      'document',
    ]);
  });
});
