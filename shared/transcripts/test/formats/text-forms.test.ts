import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAll } from '../support/reading.ts';
import {
  clock,
  date,
  ends,
  half,
  minutes,
  NAMES,
  pieceSizes,
  type Said,
  toTurns,
  two,
  WORDS,
} from '../support/said.ts';

/** Who says what when, as it should be read; a form that tells no time has none. */
type Expected = readonly [speaker: string, words: string, at?: string];

interface Form {
  readonly format: string;
  readonly write: (said: readonly Said[]) => string;
  readonly toExpected: (said: readonly Said[]) => readonly Expected[];
  /** What somebody may say; a form may have no place for several lines, or for some words. */
  readonly words?: readonly string[];
  readonly isOneLine?: boolean;
}

const toMinute = (at: Date): string => `${at.toISOString().slice(0, 16)}:00.000Z`;
const each = (write: (said: Said, index: number) => string) => (said: readonly Said[]) => said.map(write).join('\n');
const withTimes = (said: readonly Said[]): readonly Expected[] =>
  said.map(({ speaker, words, at }) => [speaker, words, at.toISOString()]);
const withMinutes = (said: readonly Said[]): readonly Expected[] =>
  said.map(({ speaker, words, at }) => [speaker, words, toMinute(at)]);

/** Under each day, what was said on it. */
function underDays(toHead: (at: Date) => string, write: (said: Said) => string) {
  return (said: readonly Said[]): string => {
    let day = '';
    return said
      .flatMap((one) => {
        const isNew = date(one.at) !== day;
        day = date(one.at);
        return [...(isNew ? ['', toHead(one.at)] : []), write(one)];
      })
      .join('\n');
  };
}

/** What one person says in cues one after the other is one turn. */
function joined(said: readonly Said[]): readonly Expected[] {
  const turns: [string, string][] = [];
  for (const { speaker, words } of said) {
    const last = turns.at(-1);
    if (last?.[0] === speaker) last[1] += ` ${words}`;
    else turns.push([speaker, words]);
  }
  return turns;
}

const encoded = (name: string): string => `=?UTF-8?B?${Buffer.from(name).toString('base64')}?=`;
const mailDate = (at: Date): string => at.toUTCString().replace('GMT', '+0000');
const usDate = (at: Date): string =>
  `${at.getUTCMonth() + 1}/${at.getUTCDate()}/${String(at.getUTCFullYear()).slice(2)}`;
const isByUser = (index: number): boolean => index % 2 === 0;
const cue = (index: number): string => `00:${two(Math.floor(index / 30))}:${two(2 * (index % 30))}.000`;

const FORMS: Readonly<Record<string, Form>> = {
  '[time] Name: words': {
    format: 'text',
    isOneLine: true,
    write: each(({ at, speaker, words }) => `${date(at)} ${clock(at)} ${speaker}: ${words}`),
    toExpected: withTimes,
  },
  'WhatsApp of the United States': {
    format: 'whatsapp',
    write: each(({ at, speaker, words }) => `${usDate(at)}, ${half(at).toUpperCase()} - ${speaker}: ${words}`),
    toExpected: withMinutes,
  },
  'WhatsApp of Greece': {
    format: 'whatsapp',
    write: each(({ at, speaker, words }) => {
      const [clockOf, halfOf] = half(at).split(' ');
      const day = `${at.getUTCDate()}/${at.getUTCMonth() + 1}/${at.getUTCFullYear()}`;
      return `${day}, ${clockOf} ${halfOf === 'am' ? 'π.μ.' : 'μ.μ.'} - ${speaker}: ${words}`;
    }),
    toExpected: withMinutes,
  },
  'WeChat in columns': {
    format: 'wechat',
    isOneLine: true,
    write: each(({ at, speaker, words }) => `${date(at)} ${clock(at)}\t${speaker}\t${words}`),
    toExpected: withTimes,
  },
  'QQ under days': {
    format: 'qq',
    write: underDays(
      (at) => `日期: ${date(at)}\n`,
      ({ at, speaker, words }) => `${clock(at)} ${speaker}(${10_000 + speaker.length})\n${words}\n`,
    ),
    toExpected: withTimes,
  },
  LINE: {
    format: 'line',
    write: underDays(
      (at) => `${date(at).replaceAll('-', '/')}(Tue)`,
      ({ at, speaker, words }) => `${minutes(at)}\t${speaker}\t${words.includes('\n') ? `"${words}"` : words}`,
    ),
    toExpected: withMinutes,
  },
  'names and times in lines of their own': {
    format: 'stacked',
    write: each(({ at, speaker, words }) => `${speaker}\n${date(at)} ${minutes(at)}\n${words}\n`),
    toExpected: withMinutes,
  },
  WebVTT: {
    format: 'subtitles',
    isOneLine: true,
    // What stands between brackets alone is a sound.
    words: WORDS.filter((words) => words !== '(yes)'),
    write: (said) =>
      `WEBVTT\n\n${said.map(({ speaker, words }, at) => `${cue(at)} --> ${cue(at)}\n<v ${speaker}>${words}\n`).join('\n')}`,
    toExpected: joined,
  },
  'an mbox': {
    format: 'mbox',
    write: each(({ at, speaker, words }, index) =>
      [
        'From ann@x.org Mon Dec 25 09:00:00 2023',
        `From: ${encoded(speaker)} <ann@x.org>`,
        `Date: ${mailDate(at)}`,
        `Message-ID: <${index}@x.org>`,
        'Content-Type: text/plain; charset=utf-8',
        '',
        words,
        '',
      ].join('\n'),
    ),
    toExpected: withTimes,
  },
  'notes under dated headings': {
    format: 'notes',
    words: WORDS.map((words) => `today I wrote ${words}`),
    write: each(({ at, words }) => `## ${date(at)} ${clock(at)}\n\n${words}\n`),
    toExpected: (said) => said.map(({ words, at }) => ['user', words, at.toISOString()]),
  },
  'a chat under headings': {
    format: 'markdown-chat',
    write: each(({ words }, index) => `## ${isByUser(index) ? 'User' : 'ChatGPT'}\n\n${words}\n`),
    toExpected: (said) => said.map(({ words }, index) => [isByUser(index) ? 'user' : 'ChatGPT', words]),
  },
  'a table': {
    format: 'csv',
    write: (said) =>
      `date,time,sender,message\n${said.map(({ at, speaker, words }) => `${date(at)},${clock(at)},${speaker},"${words.replaceAll('"', '""')}"`).join('\n')}`,
    toExpected: withTimes,
  },
};

describe.each(Object.entries(FORMS))('%s', (_name, { format, write, toExpected, words = WORDS, isOneLine = false }) => {
  it('gives the turns that were written, in order, with their times, wherever the text is cut', () => {
    // Names have to come again before some forms can be told from others.
    const turns = toTurns({ words, maxLines: isOneLine ? 1 : 3, minTurns: 2 * NAMES.length + 1 });
    fc.assert(
      fc.property(turns, pieceSizes, ends, (said, pieces, end) => {
        const read = readAll(write(said).replaceAll('\n', end), { pieces });
        expect(read.format).toBe(format);
        const found = read.conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
        expect(
          found.map(({ speaker, text, at }) => [
            speaker,
            text,
            ...(at === undefined ? [] : [new Date(at).toISOString()]),
          ]),
        ).toEqual(toExpected(said));
      }),
      { numRuns: 25 },
    );
  });
});

it('takes words before a clock for words where the text begins with something else, however often they come again', () => {
  const at = new Date('2023-12-25T09:00:00Z');
  const words = ['你好 see you at 10:30\nhello', '你好 see you at 10:30\na, b', '明天见 10:30\n3/4'];
  const said = [...words, ...words].map((one, index): Said => ({ speaker: NAMES[index % 2] ?? '', words: one, at }));
  const { write = () => '', toExpected = () => [] } = FORMS['names and times in lines of their own'] ?? {};
  const { format, conversations } = readAll(write(said), { pieces: [80] });
  const turns = conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
  expect(format).toBe('stacked');
  expect(turns.map(({ speaker, text }) => [speaker, text])).toEqual(
    toExpected(said).map(([name, text]) => [name, text]),
  );
});
