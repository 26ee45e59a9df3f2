import { countTokens } from '@contextloom/llm';
import type { Conversation } from '@contextloom/transcripts/transcript';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { anyConversation, readOne, toLetters } from '../../../../shared/transcripts/test/support/conversations.ts';
import { toEpisodeId, toHead } from '../../src/domain/memory-id.ts';
import { type EpisodeWindow, toEpisodes, toTurnRange } from '../../src/domain/windows/episodes.ts';
import { MAX_WINDOW_TOKENS, MAX_WINDOW_TURNS } from '../../src/domain/windows/window-turns.ts';

const cut = (conversation: Conversation): readonly EpisodeWindow[] => [...toEpisodes(conversation, countTokens)];

/** A conversation without what comes after its first `count` turns. */
function takeTurns({ sessions, ...rest }: Conversation, count: number): Conversation {
  let left = count;
  const taken = sessions.map((session) => {
    const turns = session.turns.slice(0, left);
    left -= turns.length;
    return { ...session, turns };
  });
  return { ...rest, sessions: taken.filter(({ turns }) => turns.length > 0) };
}

describe('episodes', () => {
  it('hold the words as they were said, with speaker and date', () => {
    const [window] = cut(readOne('# 2024-03-05\nAnna: I moved to Lyon.\nBen: 恭喜！'));
    expect(window?.content).toBe('[2024-03-05]\nAnna: I moved to Lyon.\nBen: 恭喜！');
  });

  it('have no date line when no date is known', () => {
    expect(cut(readOne('Anna: hi'))[0]?.content).toBe('Anna: hi');
  });

  it('name the turns they hold', () => {
    const turns = Array.from({ length: 8 }, (_, index) => `{"role":"user","content":"turn ${index}"}`);
    expect(cut(readOne(`[${turns.join(',')}]`)).map(toTurnRange)).toEqual(['1-6', '7-8']);
    const named = readOne('[{"id":"D1:3","speaker":"A","text":"x"}]');
    expect(cut(named).map(toTurnRange)).toEqual(['D1:3']);
  });

  it('keep a question and its answer together', () => {
    const asked = Array.from({ length: 5 }, (_, index) => `A: turn ${index}`);
    const windows = cut(
      readOne([...asked, 'B: Where do you live?', 'A: In Lyon.', 'B: 喜欢那里吗？', 'A: 喜欢。'].join('\n')),
    );
    expect(windows.map(({ turns }) => turns.length)).toEqual([5, 4]);
    expect(windows[1]?.content).toContain('B: Where do you live?\nA: In Lyon.');
  });

  it('do not wait for an answer from the one who asks', () => {
    const asked = Array.from({ length: 5 }, (_, index) => `A: turn ${index}`);
    const windows = cut(readOne([...asked, 'B: Really?', 'B: Never mind.'].join('\n')));
    expect(windows.map(({ turns }) => turns.length)).toEqual([6, 1]);
  });

  it('leave out what the system says', () => {
    const conversation = readOne('[{"role":"system","content":"You are a pirate."},{"role":"user","content":"hi"}]');
    expect(cut(conversation).map(({ content }) => content)).toEqual(['user: hi']);
  });

  it('stay within 6 turns and 300 tokens, and never cross a session', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        for (const window of cut(conversation)) {
          expect(window.turns.length).toBeLessThanOrEqual(MAX_WINDOW_TURNS);
          expect(countTokens(window.content)).toBeLessThanOrEqual(MAX_WINDOW_TOKENS);
          const session = conversation.sessions.find(({ label }) => label === window.session);
          for (const { speaker } of window.turns) {
            expect(session?.turns.some((turn) => turn.speaker === speaker)).toBe(true);
          }
        }
      }),
      { numRuns: 8 },
    );
  });

  it('hold every word exactly once, in order', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        const all = cut(conversation);
        for (const session of conversation.sessions) {
          const said = session.turns.map(({ text }) => toLetters(text)).join('');
          const windows = all.filter((window) => window.session === session.label);
          expect(windows.flatMap(({ turns }) => turns.map(({ text }) => toLetters(text))).join('')).toBe(said);
        }
      }),
      { numRuns: 8 },
    );
  });

  it('are the same each time, and a grown conversation changes at most the last one it had', () => {
    fc.assert(
      fc.property(anyConversation, fc.nat(14), (conversation, count) => {
        const before = cut(takeTurns(conversation, count));
        const after = cut(conversation);
        expect(cut(conversation)).toEqual(after);
        expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1));
      }),
      { numRuns: 8 },
    );
  });
});

describe('the id of an episode', () => {
  const idsOf = (conversation: Conversation, user = 'anna', transcript = 't'): readonly string[] =>
    cut(conversation).map((window) => toEpisodeId(user, transcript, window));

  it('stays when its window grows, so that the longer window replaces the shorter', () => {
    const short = readOne('Anna: hi\nBen: hello');
    const long = readOne('Anna: hi\nBen: hello\nAnna: I moved to Lyon.');
    expect(idsOf(short)).toEqual(idsOf(long));
  });

  it('differs between users, transcripts, sessions, places and first turns', () => {
    const base = readOne('Anna: hi');
    const ids = [
      ...idsOf(base),
      ...idsOf(base, 'ben'),
      ...idsOf(base, 'anna', 't2'),
      ...idsOf(readOne('# 2024-03-05\nAnna: hi')),
      ...idsOf(readOne('Anna: hello')),
      ...idsOf(readOne('Ben: hi')),
    ];
    expect(new Set(ids).size).toBe(6);
  });

  it('differs for windows of one conversation', () => {
    fc.assert(
      fc.property(anyConversation, (conversation) => {
        const ids = idsOf(conversation);
        expect(new Set(ids).size).toBe(ids.length);
      }),
      { numRuns: 8 },
    );
  });

  it('of a conversation without a name rests on what is said first', () => {
    expect(toHead(readOne('Anna: hi'))).toBe(toHead(readOne('\uFEFFAnna: hi\r\nBen: hi')));
    expect(toHead(readOne('Anna: hi'))).not.toBe(toHead(readOne('Anna: hi!')));
  });
});
