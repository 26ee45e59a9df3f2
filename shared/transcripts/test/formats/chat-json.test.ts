import { describe, expect, it } from '@jest/globals';
import { readSlackPeople } from '../../src/formats/readers/slack.ts';
import { readAll, toLines } from '../support/reading.ts';

const json = (value: unknown): string => JSON.stringify(value, null, 1);
const jsonl = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');

describe('ChatGPT', () => {
  const message = (role: string, parts: readonly unknown[], time: number | null, more: object = {}) => ({
    id: `m-${role}`,
    author: { role, name: null, metadata: {} },
    create_time: time,
    content: { content_type: 'text', parts },
    status: 'finished_successfully',
    weight: 1,
    metadata: {},
    recipient: 'all',
    ...more,
  });
  const conversation = {
    title: 'Walnuts',
    create_time: 1709600000.5,
    update_time: 1709600100,
    mapping: {
      root: { id: 'root', message: null, parent: null, children: ['sys'] },
      sys: {
        id: 'sys',
        message: message('system', [''], null, { metadata: { is_visually_hidden_from_conversation: true } }),
        parent: 'root',
        children: ['u1'],
      },
      u1: {
        id: 'u1',
        message: message('user', ['I am allergic to walnuts.'], 1709600000.5),
        parent: 'sys',
        children: ['a1', 'a2'],
      },
      a1: { id: 'a1', message: message('assistant', ['First try.'], 1709600005), parent: 'u1', children: [] },
      a2: { id: 'a2', message: message('assistant', ['Noted.'], 1709600010), parent: 'u1', children: ['t1'] },
      t1: {
        id: 't1',
        message: message('assistant', ['search("x")'], 1709600011, { recipient: 'browser' }),
        parent: 'a2',
        children: ['u2'],
      },
      u2: {
        id: 'u2',
        message: message(
          'user',
          [{ content_type: 'image_asset_pointer', asset_pointer: 'file-service://x' }, 'This one?'],
          1709686400,
          {
            content: { content_type: 'multimodal_text', parts: [{ content_type: 'image_asset_pointer' }, 'This one?'] },
          },
        ),
        parent: 't1',
        children: [],
      },
    },
    moderation_results: [],
    current_node: 'u2',
    conversation_id: 'c-1',
    id: 'c-1',
  };

  it('follows current_node, keeps times and titles, and names what it cannot read', () => {
    const read = readAll(
      json([conversation, { title: 'broken' }, { ...conversation, conversation_id: 'c-2', title: null }]),
    );
    expect(read.format).toBe('chatgpt');
    expect(read.conversations.map(({ id, title }) => [id, title])).toEqual([
      ['chatgpt-c-1', 'Walnuts'],
      ['chatgpt-c-2', undefined],
    ]);
    expect(toLines({ ...read, conversations: read.conversations.slice(0, 1) })).toEqual([
      '2024-03-05T00:53:20.500Z user: I am allergic to walnuts.',
      '2024-03-05T00:53:30.000Z assistant: Noted.',
      '2024-03-06T00:53:20.000Z user: [image]\nThis one?',
    ]);
    expect(read.faults).toEqual(['conversation 2: it has no "mapping" of messages']);
  });

  it('is read one conversation at a time, wherever the text is cut', () => {
    const text = json([conversation, { ...conversation, conversation_id: 'c-2' }]);
    expect(readAll(text, { pieces: [7, 1, 131] })).toEqual(readAll(text));
    expect(readAll(json(conversation)).conversations).toHaveLength(1);
  });
});

describe('Claude', () => {
  it('has human and assistant, thoughts and calls left out', () => {
    const read = readAll(
      json([
        {
          uuid: 'k-1',
          name: 'Moving',
          created_at: '2024-05-01T08:00:00.123456Z',
          updated_at: '2024-05-01T09:00:00.123456Z',
          account: { uuid: 'acc' },
          chat_messages: [
            {
              uuid: 'm1',
              text: 'I moved to Lyon.',
              content: [{ type: 'text', text: 'I moved to Lyon.', citations: [] }],
              sender: 'human',
              created_at: '2024-05-01T08:00:01.123456Z',
              attachments: [],
              files: [],
            },
            {
              uuid: 'm2',
              text: 'x',
              content: [
                { type: 'thinking', thinking: 'hm' },
                { type: 'tool_use', name: 'f', input: {} },
                { type: 'text', text: 'Welcome!' },
              ],
              sender: 'assistant',
              created_at: '2024-05-01T08:00:05Z',
            },
            { uuid: 'm3', text: 'Thanks', sender: 'human', created_at: '2024-05-01T08:01:00+00:00' },
            { uuid: 'm4', text: 'no sender' },
          ],
        },
      ]),
    );
    expect(read.format).toBe('claude');
    expect(toLines(read)).toEqual([
      '2024-05-01T08:00:01.000Z user: I moved to Lyon.',
      '2024-05-01T08:00:05.000Z assistant: Welcome!',
      '2024-05-01T08:01:00.000Z user: Thanks',
    ]);
    expect(read.conversations[0]).toMatchObject({ id: 'claude-k-1', title: 'Moving' });
    expect(read.faults).toEqual(['conversation 1, message 4: it has no "sender"']);
  });
});

describe('Telegram', () => {
  const messages = [
    {
      id: 1,
      type: 'service',
      date: '2023-05-12T14:00:00',
      date_unixtime: '1683892800',
      actor: 'Ann',
      action: 'create_group',
      text: '',
      text_entities: [],
    },
    {
      id: 2,
      type: 'message',
      date: '2023-05-12T14:03:22',
      date_unixtime: '1683893002',
      from: 'Ann Smith',
      from_id: 'user11',
      text: 'hi',
      text_entities: [],
    },
    {
      id: 3,
      type: 'message',
      date: '2023-05-12T14:04:00',
      date_unixtime: '1683893040',
      from: 'Ben',
      from_id: 'user12',
      text: ['see ', { type: 'link', text: 'https://x.org' }, ' and ', { type: 'bold', text: 'this' }],
      text_entities: [],
    },
    {
      id: 4,
      type: 'message',
      date: '2023-05-12T14:05:00',
      date_unixtime: '1683893100',
      from: 'Ben',
      from_id: 'user12',
      photo: 'p.jpg',
      width: 1,
      text: '',
      text_entities: [],
    },
    {
      id: 5,
      type: 'message',
      date: '2023-05-12T14:06:00',
      date_unixtime: '1683893160',
      from: null,
      from_id: 'user13',
      text: 'gone',
      text_entities: [],
    },
  ];

  it('of one chat keeps names, and the clock of whoever exported', () => {
    const read = readAll(json({ name: 'Trip', type: 'private_group', id: 77, messages }));
    expect(read.format).toBe('telegram');
    expect(read.conversations[0]).toMatchObject({ id: 'telegram-77', title: 'Trip' });
    expect(toLines(read)).toEqual([
      '2023-05-12T14:03:22+02:00 Ann Smith: hi',
      '2023-05-12T14:04:00+02:00 Ben: see https://x.org and this',
      '2023-05-12T14:06:00+02:00 deleted account (user13): gone',
    ]);
    expect(read.leftOut).toEqual({ 'service message': 1, media: 1 });
  });

  it('says of passed on words whose they are', () => {
    const passed = { ...messages[1], forwarded_from: 'News' };
    expect(toLines(readAll(json({ name: 'Trip', type: 'personal_chat', id: 7, messages: [passed] })))).toEqual([
      '2023-05-12T14:03:22+02:00 Ann Smith: [forwarded from News] hi',
    ]);
  });

  it('of an account tells who the user is', () => {
    const read = readAll(
      json({
        about: 'x',
        personal_information: { user_id: 11, first_name: 'Ann' },
        chats: {
          about: 'y',
          list: [
            { name: 'Ben', type: 'personal_chat', id: 12, messages: messages.slice(1, 3) },
            { type: 'saved_messages', id: 11, messages: messages.slice(1, 2) },
          ],
        },
      }),
    );
    expect(toLines(read).map((line) => line.slice(26))).toEqual([
      'user: hi',
      'Ben: see https://x.org and this',
      'user: hi',
    ]);
    expect(read.conversations.map(({ id, title }) => [id, title])).toEqual([
      ['telegram-12', 'Ben'],
      ['telegram-11', 'Saved Messages'],
    ]);
  });
});

describe('Discord', () => {
  it('keeps everybody’s name, and takes nobody for the user', () => {
    const author = (name: string, nickname: string | null = null) => ({
      id: '1',
      name,
      discriminator: '0000',
      nickname,
      color: null,
      isBot: false,
      roles: [],
      avatarUrl: '',
    });
    const read = readAll(
      json({
        guild: { id: '9', name: 'Makers', iconUrl: '' },
        channel: { id: '5', type: 'GuildTextChat', categoryId: '2', category: 'Text', name: 'general', topic: null },
        dateRange: { after: null, before: null },
        exportedAt: '2023-06-01T10:00:00+02:00',
        messages: [
          {
            id: 'a',
            type: 'GuildMemberJoin',
            timestamp: '2023-05-12T14:00:00.1+02:00',
            content: 'Joined.',
            author: author('zed'),
          },
          {
            id: 'b',
            type: 'Default',
            timestamp: '2023-05-12T14:03:22.123+02:00',
            timestampEdited: null,
            content: 'hi',
            author: author('zed', 'Zed 🌻'),
            attachments: [],
            embeds: [],
            reactions: [],
            mentions: [],
          },
          {
            id: 'c',
            type: 'Reply',
            timestamp: '2023-05-12T14:04:00+02:00',
            content: 'hello\nyou',
            author: author('user'),
            attachments: [],
          },
          {
            id: 'd',
            type: 'Default',
            timestamp: '2023-05-12T14:05:00+02:00',
            content: '',
            author: author('zed', 'Zed 🌻'),
            attachments: [{ id: 'x', url: '', fileName: 'x.png' }],
          },
        ],
        messageCount: 4,
      }),
    );
    expect(read.format).toBe('discord');
    expect(read.conversations[0]).toMatchObject({ id: 'discord-5', title: 'Makers / general' });
    expect(toLines(read)).toEqual([
      '2023-05-12T14:03:22+02:00 Zed 🌻: hi',
      '2023-05-12T14:04:00+02:00 @user: hello\nyou',
    ]);
    expect(read.leftOut).toEqual({ 'system message': 1, media: 1 });
  });

  it('as CSV', () => {
    const text =
      'AuthorID,Author,Date,Content,Attachments,Reactions\n"1","zed","2023-05-12T14:03:22.1230000+02:00","hi, ""you""\nthere","",""\n"2","ben","05/12/2023 2:04 PM","hello","",""';
    expect(toLines(readAll(text))).toEqual([
      '2023-05-12T14:03:22+02:00 zed: hi, "you"\nthere',
      '2023-05-12T14:04:00Z ben: hello',
    ]);
  });
});

describe('Slack', () => {
  it('shows names for ids, and marks as people see them', () => {
    const people = readSlackPeople([
      { id: 'U1', name: 'ann', real_name: 'Ann S.', profile: { display_name: 'Ann', real_name: 'Ann S.' } },
      { id: 'U2', name: 'ben', profile: { display_name: '', real_name: 'Ben Lee' } },
    ]);
    const text = json([
      { type: 'message', subtype: 'channel_join', user: 'U1', text: '<@U1> has joined', ts: '1683892800.000100' },
      {
        type: 'message',
        user: 'U1',
        text: 'hi <@U2>, see <https://x.org|this> &amp; <#C1|general>',
        ts: '1683893002.000200',
        client_msg_id: 'x',
        team: 'T',
      },
      { type: 'message', user: 'U2', text: 'ok', ts: '1683893003.000200', thread_ts: '1683893002.000200' },
      { type: 'message', subtype: 'bot_message', username: 'deploybot', text: 'done', ts: '1683893004.000200' },
    ]);
    const read = readAll(text, { file: 'export/general/2023-05-12.json', names: people });
    expect(read.format).toBe('slack');
    expect(read.conversations[0]?.id).toBe('slack-general');
    expect(toLines(read).map((line) => line.slice(25))).toEqual([
      'Ann: hi @Ben Lee, see this (https://x.org) & #general',
      'Ben Lee: ok',
      'deploybot: done',
    ]);
  });
});

describe('Gemini', () => {
  it('is turned round, a conversation a day', () => {
    const item = (time: string, title: string, html?: string) => ({
      header: 'Gemini Apps',
      title,
      time,
      products: ['Gemini Apps'],
      activityControls: [],
      ...(html !== undefined && { safeHtmlItem: [{ html }] }),
    });
    const read = readAll(
      json([
        item('2024-03-06T09:00:00.000Z', 'Prompted bye', '<p>Bye &amp; good luck</p>'),
        item('2024-03-05T09:01:00.000Z', 'Used an Assistant feature'),
        item('2024-03-05T09:00:30.000Z', 'Prompted and tea?', '<p>Yes:</p><ul><li>green</li><li>black</li></ul>'),
        item('2024-03-05T09:00:00.000Z', 'Prompted coffee?', '<p>No.</p>'),
      ]),
    );
    expect(read.format).toBe('gemini');
    expect(read.conversations.map(({ id }) => id)).toEqual(['gemini-2024-03-06', 'gemini-2024-03-05']);
    expect(toLines(read).map((line) => line.slice(25))).toEqual([
      'user: bye',
      'assistant: Bye & good luck',
      'user: coffee?',
      'assistant: No.',
      'user: and tea?',
      'assistant: Yes:\n- green\n- black',
    ]);
  });
});

describe('JSONL of programs', () => {
  it('SillyTavern: the user by its mark, characters by name', () => {
    const read = readAll(
      jsonl(
        {
          user_name: 'Ann',
          character_name: 'Seraphina',
          create_date: '2023-5-12 @14h 3m 22s 123ms',
          chat_metadata: {},
        },
        {
          name: 'Seraphina',
          is_user: false,
          is_system: false,
          send_date: 'May 12, 2023 2:03pm',
          mes: 'Welcome.',
          extra: {},
        },
        { name: 'Ann', is_user: true, send_date: '2023-5-12 @14h 4m 2s 123ms', mes: 'Hello!' },
        { name: 'System', is_user: false, is_system: true, mes: 'hidden' },
        { name: 'Seraphina', is_user: false, send_date: '2023-05-12T14:05:00.000Z', mes: 'Rest.' },
      ),
    );
    expect(read.format).toBe('sillytavern');
    expect(toLines(read)).toEqual([
      '2023-05-12T14:03:00Z Seraphina: Welcome.',
      '2023-05-12T14:04:02Z user: Hello!',
      '2023-05-12T14:05:00.000Z Seraphina: Rest.',
    ]);
  });

  it('Claude Code: words alone, without helpers, commands and results', () => {
    const line = (type: string, content: unknown, more: object = {}) => ({
      parentUuid: null,
      isSidechain: false,
      userType: 'external',
      cwd: '/x',
      sessionId: 's-1',
      version: '1',
      type,
      message: { role: type, content },
      uuid: 'u',
      timestamp: '2025-06-01T10:00:00.000Z',
      ...more,
    });
    const read = readAll(
      jsonl(
        { type: 'summary', summary: 'x', leafUuid: 'u' },
        line('user', 'Mend the test'),
        line('assistant', [{ type: 'thinking', thinking: 'hm' }]),
        line('assistant', [
          { type: 'text', text: 'On it.' },
          { type: 'tool_use', id: 't', name: 'Bash', input: {} },
        ]),
        line('user', [{ type: 'tool_result', tool_use_id: 't', content: 'ok' }]),
        line('user', '<command-name>/clear</command-name>'),
        line('user', 'meta', { isMeta: true }),
        line('assistant', [{ type: 'text', text: 'side' }], { isSidechain: true }),
        line('user', [{ type: 'text', text: 'Thanks' }]),
      ),
    );
    expect(read.format).toBe('claude-code');
    expect(read.conversations.map(({ id }) => id)).toEqual(['claude-code-s-1']);
    expect(toLines(read).map((one) => one.slice(25))).toEqual([
      'user: Mend the test',
      'assistant: On it.',
      'user: Thanks',
    ]);
  });

  it('Codex: messages once, without what the program writes', () => {
    const item = (role: string, text: string) => ({
      timestamp: '2025-10-29T00:59:38.317Z',
      type: 'response_item',
      payload: { type: 'message', role, content: [{ type: role === 'user' ? 'input_text' : 'output_text', text }] },
    });
    const read = readAll(
      jsonl(
        { timestamp: '2025-10-29T00:59:38.317Z', type: 'session_meta', payload: { id: 'x-1', cwd: '/p' } },
        item('user', '<environment_context>\n</environment_context>'),
        item('user', 'what is 2+2?'),
        {
          timestamp: '2025-10-29T00:59:38.317Z',
          type: 'event_msg',
          payload: { type: 'user_message', message: 'what is 2+2?' },
        },
        { timestamp: 't', type: 'response_item', payload: { type: 'reasoning', summary: [] } },
        item('assistant', '4'),
      ),
    );
    expect(read.format).toBe('codex');
    expect(read.conversations[0]?.id).toBe('codex-x-1');
    expect(toLines(read).map((one) => one.slice(25))).toEqual(['user: what is 2+2?', 'assistant: 4']);
  });

  it('fine-tuning: a conversation a line, calls of tools and null content among them', () => {
    const read = readAll(
      jsonl(
        {
          messages: [
            { role: 'system', content: 's' },
            { role: 'user', content: 'hi' },
            {
              role: 'assistant',
              content: null,
              tool_calls: [{ id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } }],
            },
            { role: 'tool', tool_call_id: 'c', content: 'x' },
            { role: 'assistant', content: 'hello', weight: 1 },
          ],
          tools: [],
        },
        {
          messages: [
            {
              role: 'user',
              content: [
                { type: 'text', text: 'two' },
                { type: 'image_url', image_url: { url: 'u' } },
              ],
            },
            { role: 'assistant', tool_calls: [] },
          ],
        },
        { prompt: 'old', completion: 'form' },
      ),
    );
    expect(read.format).toBe('openai');
    expect(read.conversations).toHaveLength(3);
    expect(toLines(read)).toEqual([
      '- user: hi',
      '- assistant: hello',
      '- user: two\n[image]',
      '- user: old',
      '- assistant: form',
    ]);
  });

  it('Responses: input and output items, bare or in a request', () => {
    const items = [
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', call_id: 'c', name: 'f', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: 'x' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello', annotations: [] }] },
    ];
    expect(toLines(readAll(json(items)))).toEqual(['- user: hi', '- assistant: hello']);
    const calls = [
      { role: 'user', content: 'hi' },
      { role: 'assistant', tool_calls: [] },
      { role: 'tool', tool_call_id: 'c', content: 'r' },
      { role: 'assistant', content: 'hello' },
    ];
    expect(toLines(readAll(json(calls)))).toEqual(['- user: hi', '- assistant: hello']);
    expect(toLines(readAll(json({ model: 'm', input: 'hi', instructions: 'x' })))).toEqual(['- user: hi']);
    expect(
      toLines(readAll(json({ id: 'resp_1', object: 'response', created_at: 1709600000, output: items.slice(3) }))),
    ).toEqual(['2024-03-05T00:53:20.000Z assistant: hello']);
  });
});

describe('WeChat as CSV', () => {
  it('tells by IsSender who the user is, and leaves out what is no text', () => {
    const header = 'localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender';
    const text = [
      `\uFEFF${header}`,
      '1,3,1,0,0,1709259631,2,你好,2024-03-01 10:20:31,小明,明,wxid_1',
      '2,3,1,0,1,1709259640,2,"在, 说吧\n第二行",2024-03-01 10:20:40,,安,wxid_me',
      '3,3,3,0,0,1709259650,2,,2024-03-01 10:20:50,小明,明,wxid_1',
      '4,3,10000,0,0,1709259660,2,"<sysmsg/>",2024-03-01 10:21:00,小明,明,wxid_1',
    ].join('\r\n');
    const read = readAll(text, { timezone: 'Asia/Shanghai' });
    expect(read.format).toBe('wechat-csv');
    expect(toLines(read)).toEqual([
      '2024-03-01T10:20:31+08:00 小明: 你好',
      '2024-03-01T10:20:40+08:00 user: 在, 说吧\n第二行',
    ]);
    expect(read.leftOut).toEqual({ 'media or system message': 2 });
  });
});

describe('who speaks', () => {
  it('is the user by --me alone, under another name by the map, and unwanted times are left out', () => {
    const text = '12/05/2023, 10:00 - Ann: a\n13/05/2023, 10:00 - Ben: b\n14/05/2023, 10:00 - Ann: c';
    const read = readAll(text, {
      me: [' ann '],
      speakers: new Map([['Ben', 'Benjamin']]),
      since: '2023-05-13T00:00:00.000Z',
      until: '2023-05-14T10:00:00.000Z',
    });
    expect(toLines(read)).toEqual(['2023-05-13T10:00:00Z Benjamin: b']);
    expect(read.leftOut).toEqual({ 'turn outside --since and --until': 2 });
  });
});
