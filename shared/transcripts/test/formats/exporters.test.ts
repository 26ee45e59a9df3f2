import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => lines.join('\n');
const json = (value: unknown): string => JSON.stringify(value);

describe('projects and memories of Claude', () => {
  it('give instructions and documents in the words of the user', () => {
    const read = readAll(
      json([
        {
          uuid: 'p-1',
          name: 'Garden',
          description: 'Our garden',
          is_private: true,
          prompt_template: 'Metric units.',
          created_at: '2024-05-01T08:00:00.123456+00:00',
          updated_at: '2024-05-02T08:00:00+00:00',
          docs: [
            { uuid: 'd', filename: 'plan.md', content: '# Plan\nPeas first.', created_at: '2024-05-03T08:00:00Z' },
            { uuid: 'e', filename: 'empty.md', content: '' },
          ],
        },
      ]),
    );
    expect(read.format).toBe('claude-projects');
    expect(toLines(read)).toEqual([
      '2024-05-01T08:00:00.000Z user: Garden: Our garden',
      '2024-05-01T08:00:00.000Z user: Garden: Metric units.',
      '2024-05-03T08:00:00.000Z user: plan.md\n# Plan\nPeas first.',
    ]);
    expect(read.conversations[0]).toMatchObject({ id: 'claude-project-p-1', title: 'Garden' });
  });

  it('are told apart: what Claude wrote about its user is nobody’s words', () => {
    const read = readAll(
      json([
        {
          conversations_memory: '**Work**\n\nAnn is a nurse in Lyon.',
          project_memories: { 'p-1': 'The garden has peas.' },
          account_uuid: 'a',
        },
      ]),
    );
    expect(read.format).toBe('claude-memories');
    expect(toLines(read)).toEqual([
      "- Claude's memory: **Work**",
      "- Claude's memory: Ann is a nurse in Lyon.",
      "- Claude's memory: The garden has peas.",
    ]);
    expect(read.conversations.map(({ id }) => id)).toEqual(['claude-memory', 'claude-project-memory-p-1']);
  });
});

describe('Gemini as a page', () => {
  const cell = (body: string, header = 'Gemini Apps') =>
    `<div class="outer-cell mdl-cell mdl-cell--12-col mdl-shadow--2dp"><div class="mdl-grid"><div class="header-cell mdl-cell mdl-cell--12-col"><p class="mdl-typography--title">${header}<br></p></div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1">${body}</div><div class="content-cell mdl-cell mdl-cell--6-col mdl-typography--body-1 mdl-typography--text-right"></div><div class="content-cell mdl-cell mdl-cell--12-col mdl-typography--caption"><b>Products:</b><br>&emsp;Gemini Apps<br></div></div></div>`;
  const page = (...cells: readonly string[]) =>
    `<html><head><style>.x{}</style></head><body><div class="mdl-grid">\n${cells.join('')}</div></body></html>`;

  it('is turned round, with prompts, answers and times, wherever it is cut', () => {
    const text = page(
      cell(
        'Prompted&nbsp;and tea?<br>Attached 1 file.<br>Mar 6, 2024, 12:05:09\u202fAM CET<br><p>Yes:</p><ul><li>green</li></ul>',
      ),
      cell('Used an Assistant feature<br>Mar 5, 2024, 9:01:00 AM UTC<br>'),
      cell('Prompted&nbsp;coffee &amp; cake?<br>Mar 5, 2024, 9:00:00 PM UTC<br><p>No.</p>'),
    );
    const read = readAll(text);
    expect(read.format).toBe('gemini-html');
    expect(toLines(read)).toEqual([
      '2024-03-06T00:05:09+01:00 user: and tea?',
      '2024-03-06T00:05:09+01:00 assistant: Yes:\n- green',
      '2024-03-05T21:00:00Z user: coffee & cake?',
      '2024-03-05T21:00:00Z assistant: No.',
    ]);
    expect(read.leftOut).toEqual({ 'activity without a prompt': 1 });
    expect(readAll(text, { pieces: [3, 17, 101] })).toEqual(read);
  });

  it('in Chinese and German', () => {
    const chinese = page(
      cell('已发送提示：花生过敏怎么办<br>2024年3月5日 21:00:00 GMT+08:00<br><p>避免食用。</p>', 'Gemini 应用'),
    );
    expect(toLines(readAll(chinese))).toEqual([
      '2024-03-05T21:00:00+08:00 user: 花生过敏怎么办',
      '2024-03-05T21:00:00+08:00 assistant: 避免食用。',
    ]);
    const german = page(cell('Eingegebener Prompt: Tee?<br>05.03.2024, 09:00:00 MEZ<br><p>Ja.</p>', 'Gemini-Apps'));
    expect(toLines(readAll(german))[0]).toBe('2024-03-05T09:00:00+01:00 user: Tee?');
  });
});

describe('mails', () => {
  const mail = toText(
    'From 1234@xxx Fri Jan 17 10:30:00 +0000 2025',
    'X-GM-THRID: 1234',
    'From: =?UTF-8?B?5byg5LiJ?= <zhang@example.org>',
    'To: ann@example.org',
    'Subject: =?UTF-8?Q?Tee_am_Samstag?=',
    'Date: Fri, 17 Jan 2025 10:30:00 +0900',
    'Message-ID: <a1@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: multipart/alternative; boundary="b1"',
    '',
    '--b1',
    'Content-Type: text/plain; charset="UTF-8"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Gr=C3=BC=C3=9Fe aus Ky=',
    'oto',
    '>From now on',
    '',
    'On Thu, 16 Jan 2025, Ann wrote:',
    '> Tee?',
    '--b1',
    'Content-Type: text/html; charset="UTF-8"',
    '',
    '<p>no</p>',
    '--b1--',
    '',
    'From 1235@xxx Sat Jan 18 10:30:00 +0000 2025',
    'From: "Lee, Ben" <ben@example.org>',
    'Subject: page',
    'Date: 18 Jan 2025 08:00 +0100',
    'Message-ID: <a2@example.org>',
    'MIME-Version: 1.0',
    'Content-Type: text/html; charset=gbk',
    'Content-Transfer-Encoding: base64',
    '',
    'PHA+xOO6wzwvcD4=',
    '',
    'From 1236@xxx Sun Jan 19 10:30:00 +0000 2025',
    'From: <robot@example.org>',
    'Message-ID: <a3@example.org>',
    'Content-Type: application/pdf',
    '',
    'JVBERi0=',
    '',
  );

  it('are one conversation each, in the own words of their sender', () => {
    const read = readAll(mail);
    expect(read.format).toBe('mbox');
    expect(toLines(read)).toEqual([
      '2025-01-17T10:30:00+09:00 张三: Tee am Samstag\nGrüße aus Kyoto\nFrom now on',
      '2025-01-18T08:00:00+01:00 Lee, Ben: page\n你好',
    ]);
    expect(read.conversations).toMatchObject([{ id: 'mail-a1@example.org' }, { id: 'mail-a2@example.org' }]);
    expect(read.leftOut).toEqual({ 'mail without words': 1, 'quotation or signature of a mail': 1 });
    expect(readAll(mail.replaceAll('\n', '\r\n'), { pieces: [7, 64] }).conversations).toEqual(read.conversations);
  });

  it('alone, as a file each, are mails as well', () => {
    const alone = mail.slice(mail.indexOf('\n') + 1, mail.indexOf('\nFrom 1235'));
    expect(toLines(readAll(alone, { file: 'tea.eml' }))).toHaveLength(1);
  });
});

describe('Discord in other forms', () => {
  const rule = '='.repeat(62);
  it('as text with older stamps, notices, and days first where dots part them', () => {
    const text = toText(
      rule,
      'Guild: Makers',
      'Channel: general',
      rule,
      '',
      '[13-May-23 02:03 PM] ann#1234',
      'hi',
      '',
      '[13-May-23 02:04 PM] ben#4321',
      'Pinned a message.',
      '',
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual(['2023-05-13T14:03:00Z ann: hi']);
    expect(read.leftOut).toMatchObject({ 'system message': 1 });
    const german = toText(
      rule,
      'Guild: M',
      'Channel: g',
      rule,
      '',
      '[05.04.2023 14:03] ann',
      'hallo',
      '',
      '[06.04.2023 14:03] ben',
      'tag',
    );
    expect(toLines(readAll(german)).map((line) => line.slice(0, 10))).toEqual(['2023-04-05', '2023-04-06']);
  });

  it('as CSV with stamps of the exporter’s versions', () => {
    const text = toText(
      'AuthorID,Author,Date,Content,Attachments,Reactions',
      '"1","zed","13-May-23 02:03 PM","hi","",""',
      '"2","ben","5/13/2023 2:04 PM","Joined the server.","",""',
      '"2","ben","2023-05-13T14:05:00.0000000+00:00","","https://cdn/x.png",""',
      '"2","ben","13.05.2023 14:06","so","",""',
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual(['2023-05-13T14:03:00Z zed: hi', '2023-05-13T14:06:00Z ben: so']);
    expect(read.leftOut).toEqual({ 'system message': 1, media: 1 });
  });
});

describe('LINE', () => {
  it('has days above turns, 12 hours, messages of several lines, and notices', () => {
    const text = toText(
      '[LINE] 與Ben的聊天記錄',
      '儲存日期：2024/03/06 10:00',
      '',
      '2024/03/05（二）',
      '上午09:00\t安\t"第一行',
      '第二行"',
      '下午02:03\tBen\t[貼圖]',
      '下午02:04\tBen加入聊天',
      '下午02:05\tBen\t好',
    );
    const read = readAll(text);
    expect(read.format).toBe('line');
    expect(toLines(read)).toEqual(['2024-03-05T09:00:00Z 安: 第一行\n第二行', '2024-03-05T14:05:00Z Ben: 好']);
    expect(read.leftOut).toEqual({ 'line with a date': 1, media: 1, 'system message': 1 });
    const english = toText(
      '[LINE] Chat history with Ben',
      'Saved on: 3/6/2024',
      '',
      'Tue, 3/5/2024',
      '2:03 PM\tAnn\thi',
      '2:04 PM\tBen\tyo',
    );
    expect(toLines(readAll(english))).toEqual(['2024-03-05T14:03:00Z Ann: hi', '2024-03-05T14:04:00Z Ben: yo']);
  });
});

describe('Messenger', () => {
  it('is turned round, and its letters are made whole again', () => {
    const raw = (text: string): string => Buffer.from(text, 'utf8').toString('latin1');
    const read = readAll(
      json({
        participants: [],
        title: raw('Zoé'),
        thread_path: 'inbox/zoe_1',
        messages: [
          { sender_name: raw('Zoé'), timestamp_ms: 1709629320000, content: raw('Zoé sent an attachment.') },
          { sender_name: raw('Zoé'), timestamp_ms: 1709629260000, content: raw('你好 👋') },
          { sender_name: 'Ann', timestamp_ms: 1709629200000, content: 'hi' },
        ],
      }),
    );
    expect(toLines(read).map((one) => one.slice(25))).toEqual(['Ann: hi', 'Zoé: 你好 👋']);
    expect(read.conversations[0]?.title).toBe('Zoé');
  });
});

describe('JSON in which somebody speaks in keys of others', () => {
  it.each([
    ['a list', json([{ sender: 'Ann', text: 'hi' }]), 'turns[0] names who speaks in "sender"'],
    [
      'messages',
      json({ messages: [{ creator: { name: 'Ann' }, text: 'hi' }] }),
      'turns[0] names who speaks in "creator"',
    ],
    ['sessions', json({ sessions: [{ turns: [{ author: 'Ann', text: 'hi' }] }] }), 'sessions[0].turns[0] names who'],
  ])('(%s) is refused: nobody becomes the user', (_name, text, problem) => {
    expect(() => readAll(text)).toThrow(problem);
  });

  it.each([
    ['a list', (turns: readonly object[]) => turns],
    ['turns', (turns: readonly object[]) => ({ conversation_id: 'c', turns })],
  ])('among turns of ours (%s) is named, and the rest goes on', (_name, wrap) => {
    const read = readAll(
      json(
        wrap([
          { speaker: 'Ann', text: 'hi' },
          { sender: 'Ben', text: 'yo' },
          { speaker: 'Ann', text: 'bye' },
        ]),
      ),
    );
    expect(read.faults).toEqual([expect.stringContaining('turns[1] names who speaks in "sender"')]);
    expect(toLines(read)).toEqual(['- Ann: hi', '- Ann: bye']);
  });

  it('(JSON Lines) has each line named', () => {
    const read = readAll(`${json({ name: 'Ann', text: 'hi' })}\n${json({ speaker: 'Ben', text: 'yo' })}`);
    expect(read.faults).toEqual([expect.stringContaining('line 1 names who speaks in "name"')]);
    expect(toLines(read)).toEqual(['- Ben: yo']);
  });
});
