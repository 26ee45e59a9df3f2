import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAll } from '../support/reading.ts';
import { clock, date, ends, half, minutes, type Said, pieceSizes as sizes, toTurns, two } from '../support/said.ts';

const turns = toTurns();
const dmy = (at: Date): string => `${two(at.getUTCDate())}/${two(at.getUTCMonth() + 1)}/${at.getUTCFullYear()}`;
const chinese = (at: Date): string =>
  `${at.getUTCFullYear()}/${at.getUTCMonth() + 1}/${at.getUTCDate()} ${at.getUTCHours() < 12 ? '上午' : '下午'}${half(at).split(' ')[0]}`;

interface Form {
  readonly format: string;
  /** Whether seconds are told. */
  readonly hasSeconds: boolean;
  readonly write: (said: Said) => string;
  /** What stands above the first turn. */
  readonly above?: string;
}

const FORMS: Readonly<Record<string, Form>> = {
  'WhatsApp on Android': {
    format: 'whatsapp',
    hasSeconds: false,
    write: ({ at, speaker, words: own }) => `${dmy(at)}, ${minutes(at)} - ${speaker}: ${own}`,
  },
  'WhatsApp with 12 hours': {
    format: 'whatsapp',
    hasSeconds: false,
    write: ({ at, speaker, words: own }) => `${dmy(at)}, ${half(at)} - ${speaker}: ${own}`,
  },
  'WhatsApp on iOS': {
    format: 'whatsapp',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `[${dmy(at)}, ${clock(at)}] ${speaker}: ${own}`,
  },
  'WeChat, time first': {
    format: 'wechat',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `${date(at)} ${clock(at)} ${speaker}\n${own}\n`,
  },
  'WeChat, name first': {
    format: 'wechat',
    hasSeconds: false,
    write: ({ at, speaker, words: own }) => `${speaker} ${chinese(at)}\n${own}`,
  },
  'WeChat, in brackets': {
    format: 'wechat',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `${speaker}(${date(at)} ${clock(at)}): ${own}`,
  },
  'Discord as text': {
    format: 'discord-text',
    hasSeconds: false,
    above: `${'='.repeat(62)}\nGuild: G\nChannel: c\n${'='.repeat(62)}\n\n`,
    write: ({ at, speaker, words: own }) =>
      `[${at.getUTCMonth() + 1}/${at.getUTCDate()}/${at.getUTCFullYear()} ${half(at).toUpperCase()}] ${speaker}\n${own}\n`,
  },
  'QQChatExporter as text': {
    format: 'qq-exporter',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `${speaker}:\n时间: ${date(at)} ${clock(at)}\n内容: ${own}\n`,
  },
  chatlog: {
    format: 'wechat',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `${speaker}(wxid_${speaker.length}) ${date(at)} ${clock(at)}\n${own}\n`,
  },
  QQ: {
    format: 'qq',
    hasSeconds: true,
    write: ({ at, speaker, words: own }) => `${date(at)} ${clock(at)} ${speaker}(${10_000 + speaker.length})\n${own}\n`,
  },
  'KakaoTalk on a phone': {
    format: 'kakaotalk',
    hasSeconds: false,
    above: 'Ben 님과 카카오톡 대화\n저장한 날짜 : 2024년 3월 6일 오전 10:00\n\n',
    write: ({ at, speaker, words: own }) =>
      `${at.getUTCFullYear()}년 ${at.getUTCMonth() + 1}월 ${at.getUTCDate()}일 ${at.getUTCHours() < 12 ? '오전' : '오후'} ${half(at).split(' ')[0]}, ${speaker} : ${own}`,
  },
  'KakaoTalk on a computer': {
    format: 'kakaotalk',
    hasSeconds: false,
    above: 'Ben with KakaoTalk Chats\nDate Saved : 2024-03-06 10:00:00\n',
    write: ({ at, speaker, words: own }) =>
      `--------------- ${at.getUTCFullYear()}년 ${at.getUTCMonth() + 1}월 ${at.getUTCDate()}일 화요일 ---------------\n[${speaker}] [${half(at).toUpperCase()}] ${own}`,
  },
  sigtop: {
    format: 'sigtop',
    hasSeconds: true,
    above: 'Conversation: Ben (+33123456789)\n\n',
    write: ({ at, speaker, words: own }) =>
      `From: ${speaker} (+33123)\nType: incoming\nSent: ${at.toUTCString().replace(/, 0/u, ', ').replace('GMT', '+0000')}\nReceived: unknown\n\n${own}\n`,
  },
};

describe.each(Object.entries(FORMS))('%s', (_name, { format, hasSeconds, write, above = '' }) => {
  it('gives the turns that were written, in order, with their times, wherever the text is cut', () => {
    fc.assert(
      fc.property(turns, sizes, ends, (said, pieces, end) => {
        const text = `${above}${said.map(write).join('\n')}`.replaceAll('\n', end);
        const read = readAll(text, { pieces });
        expect(read.format).toBe(format);
        const found = read.conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
        const kept = (at: Date): string => (hasSeconds ? at.toISOString() : `${at.toISOString().slice(0, 16)}:00.000Z`);
        expect(found.map(({ speaker, text: own, at = '' }) => [speaker, own, new Date(at).toISOString()])).toEqual(
          said.map(({ speaker, words: own, at }) => [speaker, own, kept(at)]),
        );
      }),
      { numRuns: 40 },
    );
  });
});

/** Zones whose clocks do not change in the weeks that a generated chat goes on. */
const ZONES = [
  'Asia/Shanghai',
  'America/New_York',
  'Europe/Paris',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Pacific/Honolulu',
];

describe('times with --timezone', () => {
  it('show the clock of the file in that zone', () => {
    const write = ({ at, speaker, words: own }: Said): string => `${date(at)} ${clock(at)} ${speaker}\n${own}\n`;
    fc.assert(
      fc.property(turns, fc.constantFrom(...ZONES), (said, timezone) => {
        const read = readAll(said.map(write).join('\n'), { timezone });
        const found = read.conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
        const shown = new Intl.DateTimeFormat('sv-SE', { dateStyle: 'short', timeStyle: 'medium', timeZone: timezone });
        expect(found.map(({ at = '' }) => shown.format(new Date(at)))).toEqual(
          said.map(({ at }) => `${date(at)} ${clock(at)}`),
        );
      }),
      { numRuns: 20 },
    );
  });
});

describe('days without a year', () => {
  it('are of the year of --date, and go on into the next', () => {
    const write = ({ at, speaker, words: own }: Said): string =>
      `${speaker}(wxid_${speaker.length}) ${date(at).slice(5)} ${clock(at)}\n${own}\n`;
    fc.assert(
      fc.property(turns, (said) => {
        const read = readAll(said.map(write).join('\n'), { date: '2023-12-25' });
        const found = read.conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
        expect(found.map(({ at = '' }) => new Date(at).toISOString())).toEqual(said.map(({ at }) => at.toISOString()));
      }),
      { numRuns: 20 },
    );
  });
});

describe('any text', () => {
  it('is read or refused in words of ours, and never in another way', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), sizes, (text, pieces) => {
        try {
          readAll(text, { pieces });
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid' });
        }
      }),
      { numRuns: 80 },
    );
  });
});
