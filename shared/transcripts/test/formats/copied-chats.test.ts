import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const toRead = (text: string, options: Parameters<typeof readAll>[1] = {}) => {
  const read = readAll(text, options);
  return [read.format, ...toLines(read)];
};

describe('chats copied out of a program', () => {
  const [at, then] = ['2024-03-05T09:00:00Z', '2024-03-13T14:01:00Z'];

  it.each([
    ['Telegram', 'Ann, [05.03.2024 09:00]', 'Ben, [13.03.2024 14:01]'],
    ['Telegram in American English', 'Ann, [3/5/24 9:00 AM]', 'Ben, [3/13/24 2:01 PM]'],
    ['Telegram on a Mac', 'Ann, [Mar 5, 2024 at 9:00 AM]:', 'Ben, [Mar 13, 2024 at 2:01 PM]:'],
    ['Discord', 'Ann — 03/05/2024 9:00 AM', 'Ben — 03/13/2024 2:01 PM'],
    ['Discord in British English', 'Ann — 05/03/2024 09:00', 'Ben — 13/03/2024 14:01'],
    ['WeChat in English', 'Ann 3/5/2024 9:00 AM', 'Ben 3/13/2024 2:01 PM'],
    ['Teams', '[3/5/2024 9:00 AM] Ann', '[3/13/2024 2:01 PM] Ben'],
  ])('of %s have names and times', (_name, head, next) => {
    const text = toText(head, 'Hello: all', 'second line', '', next, 'Hi', '');
    expect(toRead(text)).toEqual(['copied', `${at} Ann: Hello: all\nsecond line`, `${then} Ben: Hi`]);
  });

  it.each([
    ['Teams', '[9:00 AM] Lee, Ann', '[9:01 AM] Ben', 'Lee, Ann'],
    ['Slack', 'Ann Lee  9:00 AM', 'Ben  9:01 AM', 'Ann Lee'],
    ['Otter', 'Ann Lee  0:03  ', 'Ben  1:02:10  ', 'Ann Lee'],
    ['a talk with times in brackets', 'Ann (00:00:03):', 'Ben (00:00:09):', 'Ann'],
    ['a talk with times behind colons', 'Speaker 1: (00:03)', 'Speaker 2: (00:09)', 'Speaker 1'],
  ])('of %s tell no day, and a note says so', (_name, head, next, name) => {
    const read = readAll(toText(head, 'Hello', '', next, 'Hi', '', head, 'Bye'));
    const other = next.startsWith('Speaker') ? 'Speaker 2' : 'Ben';
    expect([read.format, ...toLines(read)]).toEqual(['copied', `- ${name}: Hello`, `- ${other}: Hi`, `- ${name}: Bye`]);
    expect(read.notes).toEqual(['its heads tell no day, so its turns are undated']);
  });

  it('of a meeting may have the words next to the time', () => {
    const long = '好'.repeat(200);
    const text = toText('李四(00:00:01): 你好', '第二行', `小明(00:00:05)：${long}`, '李四(00:00:09): 走');
    expect(toRead(text)).toEqual(['copied', '- 李四: 你好\n第二行', `- 小明: ${long}`, '- 李四: 走']);
  });

  it.each([
    ['a timetable', toText('Breakfast 8:00', 'in the hall', 'Lunch 12:30', 'outside', 'Dinner 19:00', 'in town')],
    ['notes with dashes', toText('Tea — bought 2 boxes', 'good', 'Cake — none', 'sad')],
  ])('are not %s', (_name, text) => {
    expect(toRead(text)[0]).not.toBe('copied');
  });
});

describe('the chat of a Zoom meeting', () => {
  it.each([
    [
      'in a line each',
      ['09:00:01\t From Ann Lee to Everyone : Hello', '09:00:05\t From  Ben to  Ann Lee(privately) : Hi'],
    ],
    [
      'in lines below',
      ['09:00:01 From Ann Lee to Everyone:', '\tHello', '09:00:05 From Ben to Ann Lee (Direct Message):', '\tHi'],
    ],
  ])('has its words %s, and no day', (_name, lines) => {
    expect(toRead(toText(...lines))).toEqual(['zoom-chat', '- Ann Lee: Hello', '- Ben: Hi']);
  });

  it('has days in newer versions, and reactions that are no words', () => {
    const text = toText(
      ...['2024-03-05 09:00:01 From Ann Lee to Everyone:', '\tHello', '2024-03-05 09:00:05 From Ben to Everyone:'],
      ...[
        '\tReacted to "Hello" with 👍',
        '2024-03-05 09:00:07 From Me to Everyone:',
        '\tReplying to "Hello"',
        '',
        '\tHi',
      ],
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual(['2024-03-05T09:00:01Z Ann Lee: Hello', '2024-03-05T09:00:07Z user: Hi']);
    expect(read.leftOut).toEqual({ 'system message': 1, 'quotation of another message': 1 });
  });
});

describe('sessions of coding agents', () => {
  const line = (uuid: string, type: string, content: unknown, more: object = {}) => ({
    type,
    uuid,
    sessionId: 's1',
    timestamp: '2025-11-01T10:00:00.000Z',
    message: { role: type, content },
    ...more,
  });
  const jsonl = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

  it('of Claude Code keep what the user says next to what an editor adds', () => {
    const opened = '<ide_opened_file>The user opened a.ts</ide_opened_file>';
    const text = jsonl(
      line('1', 'user', `${opened}fix the bug`),
      line('2', 'user', [
        { type: 'text', text: opened },
        { type: 'text', text: 'and the test' },
      ]),
      line('3', 'user', 'now\n\n<system-reminder>\nfiles changed\n</system-reminder>'),
      line('4', 'user', opened),
      line('5', 'assistant', [{ type: 'text', text: 'No response requested.' }], {
        message: {
          role: 'assistant',
          model: '<synthetic>',
          content: [{ type: 'text', text: 'No response requested.' }],
        },
      }),
    );
    const read = readAll(text);
    expect(toLines(read).map((one) => one.replace(/^\S+ /u, ''))).toEqual([
      'user: fix the bug',
      'user: and the test',
      'user: now',
    ]);
    expect(read.leftOut).toEqual({ 'line of the program or of a helper': 5 });
  });

  it('of Codex that go on from another are their own', () => {
    const item = (type: string, payload: object) => ({ timestamp: '2025-11-01T10:00:00.000Z', type, payload });
    const content = [{ type: 'input_text', text: 'go on' }];
    const text = jsonl(
      ...[item('session_meta', { id: 'c2', forked_from_id: 'c1' }), item('session_meta', { id: 'c1' })],
      item('response_item', { type: 'message', role: 'user', content }),
    );
    expect(readAll(text).conversations.map(({ id }) => id)).toEqual(['codex-c2']);
  });
});

describe('what a mail quotes', () => {
  const toMail = (...body: readonly string[]): string =>
    toText(
      ...['From: Ann <ann@example.org>', 'Subject: Tea', 'Message-ID: <1@x>', 'Date: Tue, 5 Mar 2024 09:00:00 +0800'],
      '',
      ...body,
    );

  it.each([
    [
      'below headers, as Outlook does',
      ['From: Ben <b@x.org>', 'Sent: Monday, March 4, 2024', 'To: Ann', 'Subject: Tea', '', 'old'],
    ],
    ['below headers in Chinese', ['发件人: 小明', '发送时间: 2024年3月4日', '收件人: Ann', '', 'old']],
    ['below headers in German', ['Von: Ben', 'Gesendet: Montag, 4. März 2024', 'An: Ann', '', 'old']],
    ['below a line that was cut', ['On Mon, Mar 4, 2024 at 9:00 AM Ben <ben@example.org>', 'wrote:', '', '> old']],
    ['in Spanish', ['El lun, 4 mar 2024, Ben escribió:', '> old']],
    ['below the name of a telephone', ['Sent from my iPhone', '', 'old']],
  ])('%s is no word of its sender', (_name, quoted) => {
    expect(toRead(toMail('Yes!', '', ...quoted))).toEqual(['mbox', '2024-03-05T09:00:00+08:00 Ann: Tea\nYes!']);
  });
});

it('a mail may have words that look like a header', () => {
  const head = [
    'From: Ann <ann@example.org>',
    'Subject: Tea',
    'Message-ID: <1@x>',
    'Date: Tue, 5 Mar 2024 09:00:00 +0800',
  ];
  expect(toRead(toText(...head, '', 'From: the shop', 'To: the beach', 'in an hour'))).toEqual([
    'mbox',
    '2024-03-05T09:00:00+08:00 Ann: Tea\nFrom: the shop\nTo: the beach\nin an hour',
  ]);
});

describe('chats of assistants in JSON', () => {
  it('of Qwen have their answers in phases', () => {
    const messages = {
      m1: { id: 'm1', role: 'user', content: 'hi', timestamp: 1709629200, parentId: null },
      m2: {
        id: 'm2',
        role: 'assistant',
        content: '',
        timestamp: 1709629201,
        parentId: 'm1',
        content_list: [
          { content: 'hm', phase: 'think' },
          { content: 'hello', phase: 'answer' },
        ],
      },
    };
    const value = { success: true, data: [{ id: 'q1', title: 'T', chat: { history: { messages, currentId: 'm2' } } }] };
    expect(toRead(JSON.stringify(value))).toEqual([
      'open-webui',
      '2024-03-05T09:00:00.000Z user: hi',
      '2024-03-05T09:00:01.000Z assistant: hello',
    ]);
  });

  it.each([
    ['createdAt', '2024-03-05T09:00:00Z'],
    ['createdAt', 1709629200000],
    ['date', '3/5/2024, 9:00:00 AM'],
  ])('keep the times that they have in %s', (key, value) => {
    const read = readAll(JSON.stringify({ messages: [{ role: 'user', content: 'hi', [key]: value }] }));
    expect(toLines(read).map((one) => one.replace('.000', ''))).toEqual(['2024-03-05T09:00:00Z user: hi']);
  });

  it('of ChatGPT without a current node go on where the last words are', () => {
    const node = (id: string, parent: string | null, time: number, text: string) => ({
      id,
      parent,
      children: [],
      message: { author: { role: 'user' }, create_time: time, content: { content_type: 'text', parts: [text] } },
    });
    const mapping = {
      a: node('a', null, 1709629200, 'hi'),
      b: node('b', 'a', 1709629300, 'new'),
      c: node('c', 'a', 1709629250, 'old'),
    };
    expect(readAll(JSON.stringify([{ mapping }])).conversations[0]?.sessions[0]?.turns.map(({ text }) => text)).toEqual(
      ['hi', 'new'],
    );
  });
});

it('a table without names above its columns is refused', () => {
  const text = toText('05/03/2024,09:00:01,Ann,+49170,Hello', '05/03/2024,09:00:05,Me,+49171,Hi');
  expect(() => readAll(text, { file: 'viber.csv' })).toThrow('it is a table with commas between its columns');
});
