import { describe, expect, it } from '@jest/globals';
import { type Reading, readAll, toLines } from '../support/reading.ts';

/** Every turn with its time, or the date of its session. */
const toDated = ({ conversations }: Reading): readonly string[] =>
  conversations.flatMap(({ sessions }) =>
    sessions.flatMap(({ date, turns: own }) => own.map(({ at = date, speaker, text }) => `${at} ${speaker}: ${text}`)),
  );

/** More than what is read as one value. */
const LONG = 33 * 1024 * 1024;
const turns = [
  { speaker: 'Ann', text: 'hi', timestamp: '2024-03-05T09:00:00Z', id: 'a' },
  { role: 'assistant', content: 'hello' },
  { role: 'user', content: 'bye' },
];
/** The same turns in a text that is long by blanks alone. */
const grow = (json: string): string => json.replace(/\](?=[^\]]*$)/u, `${' '.repeat(LONG)}]`);

describe('a conversation in JSON of more than 32 MB', () => {
  it.each([
    ['in a list', JSON.stringify(turns)],
    ['under a key', JSON.stringify({ conversation_id: 'c', turns })],
    [
      'in sessions',
      JSON.stringify({
        id: 'c',
        date: '2024-03-01',
        sessions: [
          { date: '2024-03-05', turns: turns.slice(0, 2) },
          { turns: turns.slice(2) },
          { date: '2024-03-07', messages: [{ role: 'user', content: 'and again', timestamp: '19:20' }] },
        ],
      }),
    ],
    ['of messages', JSON.stringify({ id: 'c', messages: turns })],
  ])('%s is read turn by turn, with what a short one gives', (_name, text) => {
    const [short, long] = [readAll(text), readAll(grow(text))];
    expect(toDated(long)).toEqual(toDated(short));
    expect(long.conversations.map(({ id }) => id)).toEqual(short.conversations.map(({ id }) => id));
  });

  it('has what cannot be read named, and the rest goes on', () => {
    const read = readAll(grow(JSON.stringify([turns[0], { role: 'user' }, { sender: 'Ben', text: 'x' }, turns[2]])));
    expect(toLines(read)).toEqual(['2024-03-05T09:00:00Z Ann: hi', '- user: bye']);
    expect(read.faults).toEqual([
      expect.stringMatching(/^turns\[1\]: .*has neither "content" nor "text"/u),
      expect.stringMatching(/^turns\[2\]: .*names who speaks in "sender"/u),
    ]);
  });
});
