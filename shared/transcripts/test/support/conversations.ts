import { anyCharacter } from '@contextloom/testing/any-character';
import fc from 'fast-check';
import { parseTranscript } from '../../src/formats/text/transcript-text.ts';
import { type Conversation, type Turn, toSessions, toTurn } from '../../src/transcript.ts';

/** Reads a text that holds one conversation. */
export function readOne(text: string, date?: string): Conversation {
  const [conversation, ...others] = parseTranscript(text, date);
  if (conversation === undefined || others.length > 0) throw new Error('not one conversation');
  return conversation;
}

/** `speaker: text` of every turn, session by session. */
export function toScript({ sessions }: Conversation): readonly (readonly string[])[] {
  return sessions.map(({ turns }) => turns.map(({ speaker, text }) => `${speaker}: ${text}`));
}

/** The words of a turn, without the blanks that cutting may take. */
export const toLetters = (text: string): string => text.replace(/\s+/gu, '');

const phrases = [
  'I moved to a small town by the sea.',
  'Dr. Lee said 3.5 mg! Really?',
  '我昨天去爬山了。',
  '你好！最近怎么样？',
  'word '.repeat(80),
  '没有标点的很长的一句话'.repeat(40),
  'x'.repeat(900),
  '👩‍👩‍👧 ok…',
  'line one\nline two',
  '   ',
];

const turn: fc.Arbitrary<Turn> = fc
  .record({
    speaker: fc.constantFrom('Anna', '小明', 'user', 'a'.repeat(90), '😀'.repeat(60)),
    text: fc
      .array(fc.oneof(fc.constantFrom(...phrases), fc.string({ unit: anyCharacter, maxLength: 40 })), { maxLength: 12 })
      .map((parts) => parts.join(' ')),
    at: fc.option(fc.constantFrom('2024-03-05', '2024-03-05T19:20:00Z', '2024-03-06'), { nil: undefined }),
  })
  .map(toTurn);

/** Conversations with short and very long turns, in both languages, over up to a few days. */
export const anyConversation: fc.Arbitrary<Conversation> = fc
  .tuple(fc.array(turn, { maxLength: 14 }), fc.option(fc.constant('2024-03-04'), { nil: undefined }))
  .map(([turns, date]) => ({ sessions: toSessions(turns, date) }));
