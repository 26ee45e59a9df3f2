import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { chooseMemories, type MemoryLimits } from '../../src/domain/memories/choose-memories.ts';
import type { FoundMemory } from '../../src/domain/memories/memories.ts';
import { toExcerpt, toMemoryPassages } from '../../src/domain/memories/passages.ts';

const DAY = '2024-05-01';
const episode = (turns: readonly string[], { id = turns.join(), day = DAY, score = 0.5 } = {}): FoundMemory => ({
  id,
  content: [`[${day}]`, ...turns].join('\n'),
  tags: ['memory', 'episode'],
  score,
  metadata: { memory_type: 'episode', occurred_at: `${day}T20:00:00.000Z` },
});
const countWords = (text: string): number => text.split(/\s+/u).filter((word) => word !== '').length;
const limitsOf = (query: string, maxTokens: number): MemoryLimits & { readonly maxTokens: number } => ({
  maxTokens,
  countTokens: countWords,
  asking: { query, names: ['Marlow'] },
});
const textsOf = (hits: readonly FoundMemory[], query: string, maxTokens: number) =>
  chooseMemories(hits, limitsOf(query, maxTokens)).map(({ text }) => text);

describe('an episode in a budget of tokens', () => {
  const long = episode([
    'Ann: the train was late again this morning',
    'Ben: mine came early for once this week',
    'Ann: my rent is nine hundred now',
    'Ben: the garden is full of snails',
    'Ann: then eat them all with garlic',
  ]);

  it('is told whole where there is room', () => {
    expect(textsOf([long], 'How much is my rent?', 100)).toEqual([long.content]);
  });

  it('is told by the turns that have to do with what is asked where there is not', () => {
    expect(textsOf([long], 'How much is my rent?', 9)).toEqual([`[${DAY}]\nAnn: my rent is nine hundred now`]);
  });

  it('says where turns are left out between those that are told', () => {
    const apart = episode(['Ann: my rent is high', ...Array(4).fill('Ben: well well well well'), 'Ann: rent is nine']);
    const [text] = textsOf([apart], 'rent', 12);
    expect(text).toBe(`[${DAY}]\nAnn: my rent is high\n…\nAnn: rent is nine`);
  });

  it('never parts a question from its answer', () => {
    const searchQuery = episode(['Ann: it rains a lot today', 'Ben: What do you pay for rent?', 'Ann: Nine hundred.']);
    expect(textsOf([searchQuery], 'rent', 11)).toEqual([
      `[${DAY}]\nBen: What do you pay for rent?\nAnn: Nine hundred.`,
    ]);
    expect(textsOf([searchQuery], 'nine hundred', 11)).toEqual([
      `[${DAY}]\nBen: What do you pay for rent?\nAnn: Nine hundred.`,
    ]);
  });

  it('makes room for other episodes', () => {
    const other = episode(['Ann: rent went up', 'Ben: oh no not that again my friend'], { score: 0.4 });
    expect(textsOf([long, other], 'rent', 15)).toHaveLength(2);
  });

  it('is told by what the user says rather than by what the assistant makes of it', () => {
    const chat = episode(['Marlow: rent is rent and a rent is a rent', 'Ann: my rent is nine hundred right now']);
    expect(textsOf([chat], 'rent', 11)).toEqual([`[${DAY}]\nAnn: my rent is nine hundred right now`]);
    expect(textsOf([chat], 'What did you tell me of rent?', 11)[0]).toContain('Marlow: rent');
  });

  it('is the newest one where it is asked how things are now', () => {
    const of = (day: string, place: string) => episode([`Ann: I live in ${place} with my cat`], { day, id: place });
    const hits = [of('2023-01-01', 'Rome'), of('2024-01-01', 'Oslo'), of('2022-01-01', 'Bern')];
    expect(textsOf(hits, 'Where do I live now?', 9)).toEqual(['[2024-01-01]\nAnn: I live in Oslo with my cat']);
  });

  it('keeps within the tokens and the number of memories, whatever is asked', () => {
    const turn = fc.constantFrom('Ann: rent?', 'Ben: nine hundred', 'Ann: the cat sleeps', 'Marlow: 好的', 'and more');
    const hits = fc.array(fc.array(turn, { minLength: 1, maxLength: 6 }), { maxLength: 6 });
    fc.assert(
      fc.property(hits, fc.constantFrom('rent', 'cat now', 'hello', ''), fc.nat(40), (given, query, maxTokens) => {
        const episodes = given.map((turns, at) => episode(turns, { id: String(at) }));
        const chosen = chooseMemories(episodes, { ...limitsOf(query, maxTokens), topK: 3 });
        expect(chosen.length).toBeLessThanOrEqual(3);
        expect(chosen.reduce((sum, { text }) => sum + countWords(text), 0)).toBeLessThanOrEqual(maxTokens);
        for (const { memory, text } of chosen) {
          for (const line of text.split('\n')) expect(line === '…' || memory.content.includes(line)).toBe(true);
        }
      }),
    );
  });
});

describe('a fact and the turns that say it', () => {
  const said = episode(
    [
      'Ann: we packed the whole day',
      'Ben: how is the new flat?',
      'Ann: bright and far too dear',
      `Ann: ${'well good night then '.repeat(4)}`.trim(),
    ],
    { id: 'move' },
  );
  const fact = (content: string, metadata: Record<string, unknown>): FoundMemory => ({
    id: content,
    content,
    tags: ['memory'],
    score: 0.5,
    metadata: { memory_type: 'event', occurred_at: `${DAY}T20:00:00.000Z`, ...metadata },
  });
  const rent = fact('Ann pays a high rent', { episode: 'move', episode_turns: '2,3' });

  it('is a key to them, which the question finds though it shares no word with them', () => {
    const answer = `[${DAY}]\nBen: how is the new flat?\nAnn: bright and far too dear`;
    expect(textsOf([said, rent], 'rent', 17)).toEqual([answer]);
    expect(
      textsOf([said, { ...rent, metadata: { ...rent.metadata, episode_turns: undefined } }], 'rent', 17),
    ).not.toContain(answer);
  });

  it('is told where other turns of its episode are told, and not these', () => {
    const packed = fact('Ann packed boxes', { episode: 'move', episode_turns: '4' });
    const [excerpt, line] = textsOf([said, packed], 'packed', 15);
    expect([excerpt, line]).toEqual([`[${DAY}]\nAnn: we packed the whole day`, `[${DAY}] Ann packed boxes`]);
  });

  it('is left out where any turn of its episode is told and nothing says which are its own', () => {
    const packed = fact('Ann packed boxes', { episode: 'move' });
    expect(textsOf([said, packed], 'packed', 15)).toEqual([`[${DAY}]\nAnn: we packed the whole day`]);
  });

  it.each(['', '0', 'two', '9', '1.5'])('does no harm where its turns are said to be %j', (episode_turns) => {
    const odd = fact('Ann packed boxes', { episode: 'move', episode_turns });
    expect(textsOf([said, odd], 'packed', 100)[0]).toBe(said.content);
  });
});

describe('the parts of a memory', () => {
  const wholeOf = (memory: FoundMemory): string => {
    const parts = toMemoryPassages({ memory, text: memory.content });
    return toExcerpt(
      parts,
      parts.passages.map((_, at) => at),
    );
  };

  it('put together are the memory, with lines that go on and with none', () => {
    for (const content of ['[2024-05-01]\nAnn: one\ntwo\n\nBen: 三：四', 'Ann: hi', 'no name', '[2024-05-01]']) {
      expect(wholeOf({ ...episode([]), content })).toBe(content);
    }
    const blocks = fc.constantFrom(
      '# Plan\n',
      '- an item of a list\n',
      'words '.repeat(30),
      '\n\n',
      '```\ncode;\n```\n',
      '| a |\n|---|\n',
      'Subject: me',
    );
    fc.assert(
      fc.property(fc.array(blocks, { maxLength: 30 }), (parts) => {
        const content = `user: ${parts.join('')}.`;
        expect(wholeOf({ ...episode([]), content })).toBe(content);
        expect(wholeOf({ ...episode([]), content, tags: [], metadata: {} })).toBe(content);
      }),
    );
  });
});

describe('a long message in a budget of tokens', () => {
  const filler = (about: string) => `Some words about ${about} and nothing else. `.repeat(8).trim();
  const answer = [
    filler('ferries'),
    `The lamp keeper lives in Leith. ${filler('lamps')}`,
    ['| town | rent |', '|---|---|', ...Array.from({ length: 40 }, (_, at) => `| Town${at} | ${at}00 |`)].join('\n'),
    `\`\`\`js\nlight();\n\`\`\``,
  ].join('\n\n');
  const chat = episode(['user: Tell me all.', `assistant: ${answer}`], { id: 'chat' });

  it('is told by the passage that answers, with who wrote it, when, and what is left out', () => {
    const [text = ''] = textsOf([chat], 'Where does the lamp keeper live?', 90);
    expect(text.startsWith(`[${DAY}]\n`)).toBe(true);
    expect(text).toContain('\nassistant: …\nThe lamp keeper lives in Leith.');
    expect(text).not.toContain('ferries');
  });

  it('is told by rows of its table, below the head', () => {
    const [text = ''] = textsOf([chat], 'What is the rent in Town33?', 140);
    expect(text).toContain('assistant: …\n| town | rent |\n|---|---|\n');
    expect(text).toMatch(/^ *\| Town33 \| 3300 \|$/mu);
    for (const line of text.split('\n').filter((one) => one.startsWith('| Town')))
      expect(answer).toContain(`${line}\n`);
  });

  it('leaves room for other messages, and says nothing twice', () => {
    const own = episode(['user: My lamp keeper moved to Cove.'], { id: 'own', score: 0.3 });
    const again = episode([`assistant: ${answer}`], { id: 'again', score: 0.5 });
    const texts = textsOf([chat, again, own], 'Where does the lamp keeper live?', 160);
    expect(texts.join('\n').match(/lives in Leith/gu)).toHaveLength(1);
    expect(texts.join('\n')).toContain('moved to Cove');
  });

  it('is a note too', () => {
    const note: FoundMemory = {
      id: 'note',
      content: answer,
      tags: ['memory', 'note'],
      score: 0.5,
      metadata: { created_at: `${DAY}T20:00:00.000Z` },
    };
    const [text = ''] = textsOf([note], 'Where does the lamp keeper live?', 90);
    expect(text).toMatch(/^\[2024-05-01\] …\nThe lamp keeper lives in Leith\./u);
  });
});
