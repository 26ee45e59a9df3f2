import { withoutIndents } from '@contextloom/contracts';
import { countTokens } from '@contextloom/llm';
import { endsAsking } from '@contextloom/retrieval';
import type { Conversation } from '@contextloom/transcripts/transcript';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyConversation, readOne, toLetters } from '../../../../shared/transcripts/test/support/conversations.ts';
import { createMemoryProcessor } from '../../src/create-memory-processor.ts';
import { extractWindow } from '../../src/domain/ingest/extract-window.ts';
import { toEpisodeId, toHead } from '../../src/domain/memory-id.ts';
import { createRulesExtractor } from '../../src/domain/rules-extractor.ts';
import { type EpisodeWindow, toEpisodes, toTurnRange } from '../../src/domain/windows/episodes.ts';
import type { RecordedWindow } from '../../src/domain/windows/recorded-windows.ts';
import { toContent } from '../../src/domain/windows/window-turns.ts';
import { createKeptMemories, type KeptMemories } from '../support/memory-stores.ts';

const cut = (conversation: Conversation, recorded: readonly RecordedWindow[] = []): readonly EpisodeWindow[] => [
  ...toEpisodes(conversation, countTokens, { recorded, calledAt: undefined }),
];

/** Windows as another version may have cut them: whatever else, no more than `size` turns each. */
function cutOtherwise(conversation: Conversation, size: number): readonly EpisodeWindow[] {
  const windows = cut(conversation);
  return conversation.sessions.flatMap((session) => {
    const turns = windows.filter((window) => window.session === session.label).flatMap((window) => window.turns);
    return Array.from({ length: Math.ceil(turns.length / size) }, (_, at) => {
      const own = turns.slice(at * size, (at + 1) * size);
      return { session: session.label, ordinal: at + 1, turns: own, content: toContent(own, session.date) };
    });
  });
}

/**
 * Whether a window is a recorded one. The last of a session may have grown, or have given the question that it ended on to the
 * next window, which has the answer.
 */
function isKept(
  recorded: EpisodeWindow,
  isLast: boolean,
  [own, next]: readonly [EpisodeWindow, EpisodeWindow | undefined],
): boolean {
  const hasGrown = own.content.startsWith(`${recorded.content}\n`);
  const question = recorded.turns.at(-1);
  const hasGiven =
    question !== undefined &&
    endsAsking(question.text) &&
    next?.turns[0]?.text === question.text &&
    recorded.content === `${own.content}\n${question.speaker}: ${question.text}`;
  return own.content === recorded.content || (isLast && (hasGrown || hasGiven));
}

/** A store with the windows of an earlier version, under a name or under what the conversation begins with. */
async function createStoreOf(windows: readonly EpisodeWindow[], conversation: Conversation, name?: string) {
  const memories = createKeptMemories();
  const head = toHead(conversation);
  const transcript = name ?? `conversation-${head}`;
  for (const [at, window] of windows.entries()) {
    const { documents } = await extractWindow(
      {
        window,
        context: { previous: undefined, speakers: [] },
        ...(at === 0 && name === undefined && { head }),
      },
      {
        extractor: createRulesExtractor(),
        threshold: 3,
        provenance: { userId: 'ann', transcript, extractor: 'rules', createdAt: '2024-01-01T00:00:00.000Z' },
        isTaken: () => false,
        signal: new AbortController().signal,
      },
    );
    await memories.save(documents);
  }
  return memories;
}

const contentsOf = ({ documents }: KeptMemories): readonly string[] =>
  [...documents.values()].map(({ content }) => content);

/** Six turns a window part the questions here from their answers, as earlier versions did. */
const lines = [
  ...Array.from({ length: 5 }, (_, at) => `Ann: I planted oak number ${at}.`),
  'Ben: Where do you live now?',
  'Ann: In Lyon.',
  ...Array.from({ length: 4 }, (_, at) => `Ben: I painted door number ${at}.`),
  '安: 你喜欢里昂吗？',
  'Ann: Yes, very much.',
];

describe('windows that are recorded', () => {
  it('keep their boundaries and ids, and every word is in exactly one', () => {
    fc.assert(
      fc.property(anyConversation, fc.integer({ min: 1, max: 4 }), fc.nat(6), (conversation, size, count) => {
        const recorded = cutOtherwise(conversation, size).slice(0, count);
        const windows = cut(conversation, recorded);
        const idOf = (window: EpisodeWindow): string => toEpisodeId('ann', 't', window);
        expect(new Set(windows.map(idOf)).size).toBe(windows.length);
        for (const [at, window] of recorded.entries()) {
          const isLast = recorded[at + 1]?.session !== window.session;
          expect(windows.some((own, place) => isKept(window, isLast, [own, windows[place + 1]]))).toBe(true);
        }
        expect(windows.map(idOf)).toEqual(expect.arrayContaining(recorded.map(idOf)));
        const said = conversation.sessions.flatMap(({ turns }) => turns.map(({ text }) => toLetters(text)));
        expect(windows.flatMap(({ turns }) => turns.map(({ text }) => toLetters(text))).join('')).toBe(said.join(''));
      }),
      { numRuns: 8 },
    );
  });

  it('give the question that the last of them ends on to its answer, however many tokens they have', () => {
    const long = 'We sailed along the coast and saw the lighthouse. '.repeat(12).trim();
    const conversation = readOne(
      [`Ann: ${long}`, `Ben: ${long}`, `Ann: ${long}`, 'Ben: Where do you live now?', 'Ann: In Lyon.'].join('\n'),
    );
    const recorded = cutOtherwise(conversation, 4);
    expect(cut(conversation, recorded.slice(0, 1)).map(toTurnRange)).toEqual(['1-3', '4-5']);
    // What is recorded behind it keeps the answer, and so the question its place.
    expect(cut(conversation, recorded).map(toTurnRange)).toEqual(['1-4', '5']);
  });

  it('are cut the same when all of them are of this version', () => {
    fc.assert(
      fc.property(anyConversation, fc.nat(9), (conversation, count) => {
        const windows = cut(conversation);
        expect(cut(conversation, windows.slice(0, count))).toEqual(windows);
      }),
      { numRuns: 8 },
    );
  });

  it.each([
    ['without a name', undefined],
    ['under a name', 'garden'],
  ])('are not kept a second time with the boundaries of today: a conversation %s', async (_title, name) => {
    const conversation = readOne(lines.join('\n'));
    const before = cutOtherwise(conversation, 6);
    const memories = await createStoreOf(before, conversation, name);
    const processor = createMemoryProcessor({ memories });
    const send = (count: number) =>
      processor.processTranscript({
        userId: 'ann',
        conversationHistory: [...lines, 'Ann: The oaks grow.', 'Ben: 太好了'].slice(0, count).join('\n'),
        transcriptId: name,
      });
    expect(await send(lines.length)).toMatchObject({ windows: 3, known: 3, saved: [] });
    expect(contentsOf(memories)).toEqual(before.map(({ content }) => content));
    // Earlier and later states of it are known again too.
    expect(await send(8)).toMatchObject({ windows: 2, known: 2 });
    expect(await send(lines.length + 2)).toMatchObject({ windows: 3, known: 2 });
    const [first, second, last] = contentsOf(memories);
    expect([first, second]).toEqual(before.slice(0, 2).map(({ content }) => content));
    expect(last).toBe('Ann: Yes, very much.\nAnn: The oaks grow.\nBen: 太好了');
    expect(memories.documents.size).toBe(3);
  });

  it.each([
    ['without a name', undefined],
    ['under a name', 'shopping'],
  ])(
    'of before the lines of a turn were indented are known again, and stay: a conversation %s',
    async (_title, name) => {
      const said = [
        'Ann: My shopping:',
        'two litres of milk',
        '',
        '  - and a nested list',
        'Ben: Noted.',
        'Ann: Thanks.',
      ];
      const before = cut(readOne(said.join('\n'))).map((window) => ({
        ...window,
        content: withoutIndents(window.content),
      }));
      expect(before.map(({ content }) => content)).toEqual([said.join('\n')]);
      const memories = await createStoreOf(before, readOne(said.join('\n')), name);
      const send = (conversationHistory: string) =>
        createMemoryProcessor({ memories }).processTranscript({
          userId: 'ann',
          conversationHistory,
          transcriptId: name,
        });
      expect(await send(said.join('\n'))).toMatchObject({ windows: 1, known: 1, saved: [] });
      expect(contentsOf(memories)).toEqual([said.join('\n')]);
      await send([...said, 'Ben: Bye.'].join('\n'));
      expect(contentsOf(memories)).toHaveLength(1);
      expect(contentsOf(memories)[0]).toContain('\n  two litres of milk');
    },
  );

  it('are written again where they stood when one of them has been forgotten', async () => {
    const conversation = readOne(lines.join('\n'));
    const before = cutOtherwise(conversation, 4);
    const memories = await createStoreOf(before, conversation, 'garden');
    const [, second] = [...memories.documents.keys()];
    memories.documents.delete(second ?? '');
    const processor = createMemoryProcessor({ memories });
    const request = { userId: 'ann', conversationHistory: lines.join('\n'), transcriptId: 'garden' };
    expect(await processor.processTranscript(request)).toMatchObject({ windows: 4, known: 3 });
    expect([...contentsOf(memories)].sort()).toEqual(before.map(({ content }) => content).sort());
  });

  it('that end on a question give it to the window of its answer, also when that comes later', async () => {
    const memories = createKeptMemories();
    const processor = createMemoryProcessor({ memories });
    for (const count of [6, 7, 8, 13, 13]) {
      const conversationHistory = lines.slice(0, count).join('\n');
      await processor.processTranscript({ userId: 'ann', conversationHistory });
    }
    expect(contentsOf(memories)).toEqual([
      lines.slice(0, 6).join('\n'),
      lines.slice(5, 11).join('\n'),
      lines.slice(11).join('\n'),
    ]);
  });
});
