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

const SAID: typeof RUMOURS = [
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
