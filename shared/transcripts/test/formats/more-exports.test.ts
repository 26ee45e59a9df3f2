import { describe, expect, it } from '@jest/globals';
import { readGoogleUser } from '../../src/formats/readers/google-chat.ts';
import { type Reading, readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const toRead = (read: Reading): readonly string[] => [read.format, ...toLines(read)];

describe('Skype', () => {
  it('gives each conversation oldest first, its account as the user, and no quotes, calls or pictures', () => {
    const said = (from: string, at: string, content: string, messagetype = 'RichText') => ({
      id: at,
      displayName: from === '8:ben' ? 'Ben Lee' : null,
      originalarrivaltime: `2019-03-05T${at}Z`,
      messagetype,
      content,
      from,
    });
    const read = readAll(
      JSON.stringify({
        userId: '8:live:ann',
        exportDate: '2020-01-01T00:00',
        conversations: [
          {
            id: '8:ben',
            displayName: 'Ben Lee',
            MessageList: [
              said('8:ben', '09:03:00', '<partlist type="started"/>', 'Event/Call'),
              said(
                '8:ben',
                '09:02:00.123',
                '<quote author="ann"><legacyquote>[1]</legacyquote>tea?</quote>yes &amp; now',
              ),
              said('8:ben', '09:01:00', '<URIObject/>', 'RichText/UriObject'),
              said('8:live:ann', '09:00:00', 'tea <ss type="smile">:)</ss>'),
            ],
          },
          { id: '19:x@thread.skype', displayName: 'Team', MessageList: [said('8:ben', '10:00:00', 'hello all')] },
        ],
      }),
      { pieces: [7] },
    );
    expect(toRead(read)).toEqual([
      'skype',
      '2019-03-05T09:00:00.000Z user: tea :)',
      '2019-03-05T09:02:00.000Z Ben Lee: yes & now',
      '2019-03-05T10:00:00.000Z Ben Lee: hello all',
    ]);
    expect(read.conversations.map(({ title }) => title)).toEqual(['Ben Lee', 'Team']);
    expect(read.leftOut).toEqual({ 'system message': 1, media: 1, 'quotation of another message': 1 });
  });
});

describe('edits and deletions of Skype', () => {
  const said = (id: string, at: string, content: string, more: object = {}) => ({
    id,
    displayName: 'Ben',
    originalarrivaltime: `2019-03-05T${at}Z`,
    messagetype: 'RichText',
    content,
    from: '8:ben',
    ...more,
  });
  const edit = (id: string, at: string, of: string, words: string) =>
    said(id, at, `Edited previous message: ${words}<e_m ts="1" ts_ms="1" a="ben" t="61"></e_m>`, { skypeeditedid: of });
  const messages = [
    said('7', '09:07:00', 'words that went', { properties: { deletetime: '1576' } }),
    null,
    edit('6', '09:06:00', 'gone', 'a lost beginning'),
    edit('5', '09:05:00', 'c1', 'meet at six'),
    said('4', '09:04:00', 'in place<e_m ts="2" a="ben"/>'),
    said('3', '09:03:00', 'Edited previous message: he wrote'),
    edit('2', '09:02:00', 'c1', 'meet at five'),
    said('1', '09:01:00', 'meet at four', { clientmessageid: 'c1' }),
  ];

  it.each([
    ['newest first', messages],
    ['oldest first', messages.toReversed()],
  ])('put the last words where the first were, in a list with the %s', (_name, MessageList) => {
    const read = readAll(
      JSON.stringify({ userId: '8:live:ann', conversations: [{ id: '8:ben', displayName: 'Ben', MessageList }] }),
    );
    expect(toRead(read)).toEqual([
      'skype',
      '2019-03-05T09:01:00.000Z Ben: meet at six',
      '2019-03-05T09:03:00.000Z Ben: Edited previous message: he wrote',
      '2019-03-05T09:04:00.000Z Ben: in place',
      '2019-03-05T09:06:00.000Z Ben: a lost beginning',
    ]);
    expect(read.leftOut).toEqual({ 'deleted message': 1, 'empty message': 1, 'earlier version of a message': 2 });
    expect(read.faults).toEqual([]);
  });
});

describe('Grok', () => {
  it('gives the branch where a conversation stands, with both forms of its times', () => {
    const said = (_id: string, sender: string, message: string, parent_response_id?: string) => ({
      response: { _id, sender, message, parent_response_id, create_time: { $date: { $numberLong: '1705312200000' } } },
    });
    const conversation = { id: 'c', title: 'Tea', create_time: '2024-01-15T09:50:00Z', leaf_response_id: '3' };
    const responses = [
      said('1', 'human', 'tea?'),
      said('2', 'ASSISTANT', 'no', '1'),
      said('3', 'ASSISTANT', 'yes<grok:render type="x"><argument name="a">1</argument></grok:render>', '1'),
    ];
    const read = readAll(JSON.stringify({ conversations: [{ conversation, responses }], projects: [], tasks: [] }));
    expect(toRead(read)).toEqual([
      'grok',
      '2024-01-15T09:50:00.000Z user: tea?',
      '2024-01-15T09:50:00.000Z assistant: yes',
    ]);
    expect(read.conversations[0]).toMatchObject({ id: 'grok-c', title: 'Tea' });
  });
});

describe('Google Chat', () => {
  it('gives both forms of its times, the user by the account, and no deleted messages', () => {
    const [ann, ben] = [
      { name: 'Ann', email: 'Ann@x.org', user_type: 'Human' },
      { name: 'Ben', email: 'ben@x.org', user_type: 'Human' },
    ];
    const messages = [
      { creator: ann, created_date: 'Tuesday, March 5, 2024 at 2:00:00\u202fPM UTC', text: 'hi', topic_id: 't' },
      { creator: ben, created_date: 'Tuesday, 5 March 2024 at 14:01:00 UTC', text: 'hello', topic_id: 't' },
      { creator: ben, created_date: 'Tuesday, 5 March 2024 at 14:02:00 UTC', message_state: 'DELETED', topic_id: 't' },
    ];
    const names = new Map(readGoogleUser({ user: { name: 'Ann', email: 'ann@x.org' } }));
    const read = readAll(JSON.stringify({ messages }), { file: 'Google Chat/Groups/DM abc/messages.json', names });
    expect(toRead(read)).toEqual(['google-chat', '2024-03-05T14:00:00Z user: hi', '2024-03-05T14:01:00Z Ben: hello']);
    expect(read.conversations[0]).toMatchObject({ id: 'google-chat-DM abc' });
    expect(read.leftOut).toEqual({ 'deleted message': 1 });
  });
});

describe('LM Studio', () => {
  it('gives the version that was selected, without thoughts and calls of tools', () => {
    const step = (text: string, type?: string) => ({
      type: 'contentBlock',
      content: [{ type: 'text', text }],
      ...(type !== undefined && { style: { type } }),
    });
    const answer = (...steps: readonly object[]) => ({ type: 'multiStep', role: 'assistant', steps });
    const messages = [
      {
        versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'tea?' }] }],
        currentlySelected: 0,
      },
      {
        versions: [
          answer(step('no')),
          answer(step('hm', 'thinking'), { type: 'toolStatus' }, step('yes'), step('now')),
        ],
        currentlySelected: 1,
      },
    ];
    const read = readAll(JSON.stringify({ name: 'Tea', pinned: false, createdAt: 1, messages }), {
      file: 'folder/1712.conversation.json',
    });
    expect(toRead(read)).toEqual(['lm-studio', '- user: tea?', '- assistant: yes\nnow']);
    expect(read.conversations[0]).toMatchObject({ id: 'lm-studio-1712.conversation', title: 'Tea' });
  });
});

describe('Open WebUI', () => {
  it('follows the branch where a chat stands, without folded reasoning', () => {
    const message = (id: string, parentId: string | null, role: string, content: string) => ({
      id,
      parentId,
      childrenIds: [],
      role,
      content,
      timestamp: 1709629200,
    });
    const all = [
      message('u', null, 'user', 'tea?'),
      message('a', 'u', 'assistant', 'no'),
      message(
        'b',
        'u',
        'assistant',
        '<details type="reasoning" done="true">\n<summary>Thought</summary>\nhm\n</details>\nyes',
      ),
    ];
    const history = { messages: Object.fromEntries(all.map((one) => [one.id, one])), currentId: 'b' };
    const read = readAll(JSON.stringify([{ id: 'o', user_id: 'x', title: 'Tea', chat: { history, messages: all } }]));
    expect(toRead(read)).toEqual([
      'open-webui',
      '2024-03-05T09:00:00.000Z user: tea?',
      '2024-03-05T09:00:00.000Z assistant: yes',
    ]);
  });
});

describe('SMS Backup & Restore', () => {
  it('gives each contact a conversation, the words of messages with pictures, and emoji in two halves', () => {
    const text = toText(
      `<?xml version='1.0' encoding='UTF-8' standalone='yes' ?>`,
      '<!--File Created By SMS Backup & Restore-->',
      '<smses count="5" backup_set="x">',
      '  <sms protocol="0" address="+331" date="1709629200000" type="1" subject="null" body="a &lt;b&gt; > c&#10;&#55357;&#56832;" read="1" contact_name="Ben" />',
      '  <sms protocol="0" address="+332" date="1709629201000" type="1" body="code 12" contact_name="(Unknown)" />',
      '  <mms date="1709629202000" msg_box="2" address="+331" contact_name="Ben"><parts>',
      '    <part seq="0" ct="image/jpeg" text="null" data="AAAA" />',
      '    <part seq="1" ct="text/plain" text="look &amp; see" />',
      '  </parts></mms>',
      '  <sms address="+331" date="1709629203000" type="3" body="draft" contact_name="Ben" />',
      '  <sms address="+331" date="0" type="1" body="x" contact_name="Ben" />',
      '</smses>',
    );
    const read = readAll(text, { file: 'sms-20240305.xml', pieces: [3, 11] });
    expect(toRead(read)).toEqual([
      'sms-backup',
      '2024-03-05T09:00:00.000Z Ben: a <b> > c\n😀',
      '2024-03-05T09:00:02.000Z user: look & see',
      '2024-03-05T09:00:01.000Z +332: code 12',
    ]);
    expect(read.conversations.map(({ title }) => title)).toEqual(['Ben', '+332']);
    expect(read.leftOut).toEqual({ 'draft, or message that was not sent': 1 });
    expect(read.faults).toEqual(['message 5: there is no such date or time']);
  });
});

describe('pages of Messenger and Instagram', () => {
  it('are read oldest first, without reactions and what is no message', () => {
    const box = (name: string, body: string, time: string): string =>
      `<div class="_3-95 _a6-g"><div class="_2ph_ _a6-h _a6-i">${name}</div><div class="_2ph_ _a6-p"><div><div></div><div>${body}</div></div></div><div class="_3-94 _a6-o"><div class="_a72d">${time}</div></div></div>`;
    const text = `<html><head><title>Ben &amp; co</title></head><body>${[
      box('Ben', 'bye<div></div><ul class="_a6-q"><li>👍 Ann</li></ul>', 'Mar 05, 2024 2:01:00 pm'),
      box('Ann', '<img src="a.jpg"/>', '5 Mar 2024, 14:00'),
      box('Ann', 'hi', 'Mar 5, 2024, 1:59\u202fPM'),
      box('Ann', 'salut', '5 marzipan 2024'),
    ].join('')}</body></html>`;
    const read = readAll(text, { file: 'inbox/ben_1/message_1.html', pieces: [13] });
    expect(toRead(read)).toEqual(['messenger-html', '2024-03-05T13:59:00Z Ann: hi', '2024-03-05T14:01:00Z Ben: bye']);
    expect(read.conversations[0]).toMatchObject({ id: 'messenger-ben_1', title: 'Ben & co' });
    expect(read.leftOut).toEqual({ media: 1 });
    expect(read.faults).toEqual(['message 4: its time cannot be read: "5 marzipan 2024"']);
  });
});

describe('a log of IRC', () => {
  it.each([
    [
      'irssi',
      toText(
        '--- Log opened Tue Mar 05 09:00:00 2024',
        '09:00 -!- Ann [~a@x] has joined #tea',
        '09:00 < Ann> hi: all',
        '09:01 <@Ben> hello',
        '09:02  * Ann waves',
        '--- Day changed Wed Mar 06 2024',
        '09:03 < Ann> tea?',
      ),
      '',
    ],
    [
      'WeeChat',
      toText(
        '2024-03-05 09:00:00\t-->\tAnn (~a@x) has joined #tea',
        '2024-03-05 09:00:00\tAnn\thi: all',
        '2024-03-05 09:01:00\t@Ben\thello',
        '2024-03-05 09:02:00\t *\tAnn waves',
        '2024-03-06 09:03:00\tAnn\ttea?',
      ),
      '',
    ],
    [
      'HexChat',
      toText(
        '**** BEGIN LOGGING AT Tue Mar  5 09:00:00 2024',
        '',
        'Mar 05 09:00:00 *\tNow talking on #tea',
        'Mar 05 09:00:00 <Ann>\thi: all',
        'Mar 05 09:01:00 <Ben>\t\u0002hello\u0002',
        'Mar 05 09:02:00 *\tAnn waves',
        'Mar 06 09:03:00 <Ann>\ttea?',
      ),
      '',
    ],
  ])('of %s gives what was said and done, with its days', (_name, text, file) => {
    const read = readAll(text, { file, pieces: [5] });
    const lines = toRead(read);
    expect(lines.filter((line) => !line.endsWith('Now talking on #tea'))).toEqual([
      'irc',
      '2024-03-05T09:00:00Z Ann: hi: all',
      '2024-03-05T09:01:00Z Ben: hello',
      '2024-03-05T09:02:00Z Ann: * Ann waves',
      '2024-03-06T09:03:00Z Ann: tea?',
    ]);
    expect(read.faults).toEqual([]);
  });

  it('of ZNC has its day in the name of the file; without one its turns are undated, and a note says so', () => {
    const text = toText('[09:00:00] *** Joins: Ben (b@x)', '[09:00:01] <Ann> hi', '[09:00:02] <Ben> hello');
    expect(toLines(readAll(text, { file: 'tea/2024-03-05.log' }))).toEqual([
      '2024-03-05T09:00:01Z Ann: hi',
      '2024-03-05T09:00:02Z Ben: hello',
    ]);
    const undated = readAll(text);
    expect(toLines(undated)).toEqual(['- Ann: hi', '- Ben: hello']);
    expect(undated.notes).toEqual(['its lines tell the time and no day, so its turns are undated: give --date']);
  });
});
