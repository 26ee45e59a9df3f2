import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { readAll } from '../support/reading.ts';
import { clock, date, half, type Said, pieceSizes as sizes, toTurns, two, WORDS } from '../support/said.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const month = (at: Date): string => MONTHS[at.getUTCMonth()] ?? '';
const seconds = (at: Date): string => two(at.getUTCSeconds());
const toHtml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;').replaceAll('\n', '<br>');
const toCell = (text: string): string => `"${text.replaceAll('"', '""')}"`;
const toAttribute = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('\n', '&#10;')
    // One number for each half, as the application does.
    .replace(/[\u{10000}-\u{10ffff}]/gu, (one) => `&#${one.charCodeAt(0)};&#${one.charCodeAt(1)};`);

interface Form {
  readonly format: string;
  readonly file?: string;
  readonly write: (said: readonly Said[]) => string;
  /** Everything is in the words of one person. */
  readonly speaker?: string;
  readonly isOneLine?: boolean;
  /** Whether several people have conversations of their own, one after the other. */
  readonly isGrouped?: boolean;
}

const FORMS: Readonly<Record<string, Form>> = {
  'Telegram as pages': {
    format: 'telegram-html',
    write: (said) =>
      `<!DOCTYPE html><html><body><div class="history">\n${said
        .map(
          ({ at, speaker, words }, id) =>
            `<div class="message default clearfix" id="message${id}">\n<div class="body">\n<div class="pull_right date details" title="${two(at.getUTCDate())}.${two(at.getUTCMonth() + 1)}.${at.getUTCFullYear()} ${clock(at)} UTC+00:00">\n${clock(at).slice(0, 5)}\n</div>\n<div class="from_name">\n${toHtml(speaker)}\n</div>\n<div class="text">\n${toHtml(words)}\n</div>\n</div>\n</div>\n`,
        )
        .join('')}</div></body></html>`,
  },
  'the package of Discord': {
    format: 'discord-package',
    file: 'package/messages/c123456789012345678/messages.csv',
    speaker: 'user',
    write: (said) =>
      `ID,Timestamp,Contents,Attachments\n${said
        .toReversed()
        .map(({ at, words }, id) => `${id},${date(at)} ${clock(at)}.000000+00:00,${toCell(words)},`)
        .join('\n')}\n`,
  },
  'KakaoTalk as a table': {
    format: 'kakaotalk-csv',
    write: (said) =>
      `Date,User,Message\n${said
        .map(({ at, speaker, words }) => `${date(at)} ${clock(at)},${toCell(speaker)},${toCell(words)}`)
        .join('\n')}\n`,
  },
  iMessage: {
    format: 'imessage',
    file: 'Ben.txt',
    write: (said) =>
      said
        .map(({ at, speaker, words }) => {
          const [time, ap = ''] = half(at).split(' ');
          const day = `${month(at)} ${two(at.getUTCDate())}, ${at.getUTCFullYear()}`;
          return `${day}  ${time}:${seconds(at)} ${ap.toUpperCase()}\n${speaker}\n${words}\n\n`;
        })
        .join(''),
  },
  'pages of Messenger': {
    format: 'messenger-html',
    file: 'inbox/ben_1/message_1.html',
    write: (said) =>
      `<html><head><title>Ben</title></head><body>${said
        .toReversed()
        .map(({ at, speaker, words }) => {
          const [time, ap] = half(at).split(' ');
          const day = `${month(at)} ${two(at.getUTCDate())}, ${at.getUTCFullYear()}`;
          return `<div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">${toHtml(speaker)}</h2><div class="_3-95 _a6-p"><div><div></div><div>${toHtml(words)}</div></div></div><div class="_3-94 _a6-o">${day} ${time}:${seconds(at)} ${ap}</div></div>`;
        })
        .join('\n')}</body></html>`,
  },
  'SMS Backup & Restore': {
    format: 'sms-backup',
    file: 'sms.xml',
    isGrouped: true,
    write: (said) =>
      `<?xml version="1.0"?>\n<smses count="${said.length}">\n${said
        .map(
          ({ at, speaker, words }) =>
            `<sms address="+33${speaker.length}" date="${at.getTime()}" type="1" body="${toAttribute(words)}" contact_name="${toAttribute(speaker)}" />`,
        )
        .join('\n')}\n</smses>`,
  },
  'a log of WeeChat': {
    format: 'irc',
    isOneLine: true,
    write: (said) =>
      `2023-12-25 08:00:00\t-->\tAnn (~a@x) has joined #tea\n${said
        .map(({ at, speaker, words }) => `${date(at)} ${clock(at)}\t${speaker}\t${words}\n`)
        .join('')}`,
  },
};

describe.each(Object.entries(FORMS))('%s', (_name, form) => {
  const { format, file, write, speaker: only, isOneLine = false, isGrouped = false } = form;
  it('gives the turns that were written, in order, with their times, wherever the text is cut', () => {
    const turns = toTurns({ words: WORDS, maxLines: isOneLine ? 1 : 3, minTurns: 3 });
    fc.assert(
      fc.property(turns, sizes, (said, pieces) => {
        const read = readAll(write(said), { pieces, ...(file !== undefined && { file }) });
        expect(read.format).toBe(format);
        expect(read.faults).toEqual([]);
        const found = read.conversations.flatMap(({ sessions }) => sessions.flatMap((session) => session.turns));
        const told = found.map(({ speaker, text, at = '' }) => [speaker, text, new Date(at).toISOString()] as const);
        const expected = said.map(({ speaker, words, at }) => [only ?? speaker, words, at.toISOString()] as const);
        // Of several people, each has a conversation: together they are in order of time.
        const inOrder = isGrouped ? told.toSorted(([, , a], [, , b]) => a.localeCompare(b)) : told;
        expect(inOrder).toEqual(expected);
      }),
      { numRuns: 25 },
    );
  });
});
