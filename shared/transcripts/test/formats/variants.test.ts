import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const jsonl = (...values: readonly unknown[]): string => values.map((value) => JSON.stringify(value)).join('\n');
const toRead = (text: string, options: Parameters<typeof readAll>[1] = {}) => {
  const read = readAll(text, options);
  return [read.format, ...toLines(read)];
};
const HELLO = ['- user: hi', '- assistant: hello'];

describe('examples for fine-tuning', () => {
  const messages = [
    { role: 'user', content: 'hi' },
    { role: 'assistant', content: 'hello' },
  ];
  const contents = [
    { role: 'user', parts: [{ text: 'hi' }] },
    { role: 'model', parts: [{ text: 'why?', thought: true }, { text: 'hello' }] },
  ];
  it.each<readonly [string, unknown]>([
    ['Gemini', { systemInstruction: { parts: [{ text: 'Be kind.' }] }, contents }],
    ['Bedrock', { system: 'Be kind.', messages }],
    ['Anthropic, older', { prompt: '\n\nHuman: hi\n\nAssistant:', completion: ' hello' }],
    ['Alpaca', { instruction: 'hi', input: '', output: 'hello' }],
    ['Qwen', { query: 'hi', response: 'hello' }],
    ['a preference in words', { prompt: 'hi', chosen: 'hello', rejected: 'go away' }],
    ['a preference in messages', { chosen: messages, rejected: [messages[0]] }],
    ['a preference whose prompt is a list', { prompt: [messages[0]], chosen: [messages[1]], rejected: [] }],
    ['pairs', { conversation: [{ human: 'hi', assistant: 'hello' }] }],
  ])('of %s give both sides, a conversation a line', (_name, value) => {
    expect(toRead(jsonl(value, value))).toEqual(['openai', ...HELLO, ...HELLO]);
    expect(readAll(jsonl(value, value)).conversations).toHaveLength(2);
    expect(toRead(JSON.stringify([value]))).toEqual(['openai', ...HELLO]);
  });

  it('of Alpaca and Qwen keep what was said before', () => {
    const value = { instruction: 'Translate:', input: 'tea', output: 'thé', history: [['hi', 'hello']] };
    expect(toRead(jsonl(value, value)).slice(0, 5)).toEqual([
      'openai',
      ...HELLO,
      '- user: Translate:\ntea',
      '- assistant: thé',
    ]);
  });
});

describe('message lists of programs', () => {
  it('leave out instructions, calls of tools and their results', () => {
    const list = [
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'hi' }] },
      { role: 'assistant', content: null, tool_calls: [{ id: '1', type: 'function', function: { name: 'f' } }] },
      { role: 'tool', tool_call_id: '1', content: '42' },
      { role: 'assistant', content: 'hello' },
    ];
    expect(toRead(JSON.stringify(list))).toEqual(['openai', ...HELLO]);
  });

  it('of Gemini are contents', () => {
    const list = [
      { role: 'user', parts: [{ text: 'hi' }, { inlineData: { mimeType: 'image/png', data: 'x' } }] },
      { role: 'model', parts: [{ text: 'hello' }] },
    ];
    expect(toRead(JSON.stringify(list))).toEqual(['openai', '- user: hi\n[image]', '- assistant: hello']);
  });

  it('of threads come with the newest first, and are turned round', () => {
    const toMessage = (role: string, value: string, created: number) => ({
      object: 'thread.message',
      created_at: created,
      role,
      content: [{ type: 'text', text: { value, annotations: [] } }],
    });
    const list = {
      object: 'list',
      data: [toMessage('assistant', 'hello', 1709629260), toMessage('user', 'hi', 1709629200)],
    };
    expect(toRead(JSON.stringify(list))).toEqual([
      'openai',
      '2024-03-05T09:00:00.000Z user: hi',
      '2024-03-05T09:01:00.000Z assistant: hello',
    ]);
  });
});

describe('conversations.json in other hands', () => {
  const node = (role: string, text: string, parent: string | null) => ({
    parent,
    message: { author: { role }, content: { content_type: 'text', parts: [text] } },
  });
  const chatgpt = (id: string) => ({
    title: 'T',
    conversation_id: id,
    current_node: 'a',
    mapping: {
      u: node('user', 'hi', null),
      a: node('assistant', 'hello \ue200cite\ue202turn0search1\ue201【3†source】', 'u'),
    },
  });
  const claude = (uuid: string) => ({
    uuid,
    chat_messages: [
      { sender: 'human', text: 'hi' },
      { sender: 'assistant', text: 'hello' },
    ],
  });
  it.each([
    ['chatgpt', chatgpt],
    ['claude', claude],
  ] as const)(
    '(%s) is read a conversation a line, under a key, and alone, without marks of sources',
    (format, make) => {
      expect(toRead(jsonl(make('a'), make('b')))).toEqual([format, ...HELLO, ...HELLO]);
      expect(toRead(JSON.stringify({ conversations: [make('a')] }))).toEqual([format, ...HELLO]);
      expect(toRead(JSON.stringify(make('a'), null, 2))).toEqual([format, ...HELLO]);
    },
  );
});

describe('Signal', () => {
  const envelope = (source: string, sourceName: string, timestamp: number, more: object) => ({
    account: '+490',
    envelope: { source, sourceNumber: source, sourceName, timestamp, ...more },
  });
  const at = 1709629200_000;
  it('of signal-cli: each chat by itself, own words as the user’s', () => {
    const text = jsonl(
      envelope('+491', 'Ben', at, { dataMessage: { timestamp: at, message: 'hi' } }),
      envelope('+492', 'Mia', at + 1, {
        dataMessage: { message: 'yo', groupInfo: { groupId: 'g', groupName: 'Trip' } },
      }),
      envelope('+490', 'Ann', at + 60_000, {
        syncMessage: { sentMessage: { destinationNumber: '+491', timestamp: at + 60_000, message: 'hello' } },
      }),
      envelope('+491', 'Ben', at + 61_000, { receiptMessage: { when: at } }),
      envelope('+491', 'Ben', at + 62_000, { dataMessage: { message: null, attachments: [{}] } }),
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual([
      '2024-03-05T09:00:00.000Z Ben: hi',
      '2024-03-05T09:01:00.000Z user: hello',
      '2024-03-05T09:00:00.001Z Mia: yo',
    ]);
    expect(read.conversations.map(({ id, title }) => [id, title])).toEqual([
      ['signal-+491', '+491'],
      ['signal-g', 'Trip'],
    ]);
    expect(read.leftOut).toEqual({ 'system message': 1, media: 1 });
  });

  it('of signal-export: Me is who exported', () => {
    const one = (sender: string, body: string) => ({
      date: '2024-03-05T09:00:00',
      sender,
      body,
      quote: '',
      sticker: '',
      reactions: [],
      attachments: [],
    });
    expect(toRead(jsonl(one('Me', 'hi'), one('Ben', 'hello'), one('Ben', '')), { file: 'Ben/data.json' })).toEqual([
      'signal',
      '2024-03-05T09:00:00Z user: hi',
      '2024-03-05T09:00:00Z Ben: hello',
    ]);
  });
});

describe('a table of a chat', () => {
  it('has a day and a clock in two columns, and the user by role', () => {
    expect(
      toRead('Date;Time;Role;Content\n05/13/2023;2:04 PM;user;"hi; there"\n05/13/2023;2:05 PM;assistant;hello'),
    ).toEqual(['csv', '2023-05-13T14:04:00Z user: hi; there', '2023-05-13T14:05:00Z assistant: hello']);
  });

  it('of several chats as they came gives each by itself', () => {
    const head = 'TalkerId,Type,IsSender,CreateTime,StrContent,StrTime,Remark';
    const row = (chat: number, name: string, words: string, second: number) =>
      `${chat},1,0,${1709259631 + second},${words},2024-03-01 10:20:${31 + second},${name}`;
    const read = readAll([head, row(2, '小明', '一', 0), row(3, '李四', '二', 1), row(2, '小明', '三', 2)].join('\n'));
    expect(read.conversations.map(({ title }) => title)).toEqual(['2', '3']);
    expect(toLines(read).map((line) => line.slice(25))).toEqual([' 小明: 一', ' 小明: 三', ' 李四: 二']);
  });
});

describe('copies from Chinese programs', () => {
  const two = (a: string, b: string, ...more: readonly string[]): string => [a, b, ...more].join('\n');
  it.each([
    ['tabs', two('2024-03-01 10:20:31\t小明\t你好', '2024-03-01 10:21:31\t李四\t在吗')],
    ['tabs, name first', two('小明\t2024-03-01 10:20:31\t你好', '李四\t2024-03-01 10:21:31\t在吗')],
    ['pipes', two('2024-03-01 10:20:31|小明|你好', '2024-03-01 10:21:31|李四|在吗')],
    ['names in angle brackets', two('2024-03-01 10:20:31 <小明>', '你好', '2024-03-01 10:21:31 <李四>', '在吗')],
    ['a colon after the time', two('小明  2024-03-01 10:20:31:', '你好', '', '李四  2024-03-01 10:21:31:', '在吗')],
    [
      'days in lines of their own',
      two('日期: 2024-03-01', '', '10:20:31 小明(12345)', '你好', '', '10:21:31 李四(54321)', '在吗'),
    ],
  ])('with %s tell who said what when', (_name, text) => {
    expect(toRead(text).slice(1)).toEqual(['2024-03-01T10:20:31Z 小明: 你好', '2024-03-01T10:21:31Z 李四: 在吗']);
  });

  it.each([
    ['a clock alone', two('小明 14:20', '你好', '李四 14:21', '在吗', '小明 14:23', '明天见')],
    ['a word for the day', two('小明 昨天 14:20', '你好', '李四 昨天 14:21', '在吗', '小明 昨天 14:23', '明天见')],
    ['ids', two('小明(12345) 14:20:01', '你好', '李四(54321) 14:21:01', '在吗', '小明(12345) 14:23:01', '明天见')],
  ])('with %s are undated, and say so', (_name, text) => {
    expect(toRead(text)).toEqual(['wechat', '- 小明: 你好', '- 李四: 在吗', '- 小明: 明天见']);
    expect(readAll(text).notes).toEqual(['its heads tell the time and no day, so its turns are undated']);
  });
});

describe('Chinese exports', () => {
  it('of Feishu have names and days without a year in lines of their own', () => {
    const said = ['小明', '李四', '小明', '李四'].map((name, at) => `${name}\n3月5日 17:0${at}\n第${at}句`);
    const text = said.join('\n');
    expect(toRead(text)).toEqual(['stacked', '- 小明: 第0句', '- 李四: 第1句', '- 小明: 第2句', '- 李四: 第3句']);
    expect(readAll(text).notes).toEqual(['its days have no year, so its turns are undated: give --date']);
    expect(toRead(text, { date: '2024-03-06' }).at(-1)).toBe('2024-03-05T17:03:00Z 李四: 第3句');
  });

  it('of WeChat as a table take 我 for the user', () => {
    const text =
      '序号,时间,发送者,消息类型,内容\n1,2024-03-05 17:00:00,我,文本,早上好\n2,2024-03-05 17:01:00,小明,文本,你好\n';
    expect(toRead(text)).toEqual([
      'wechat-csv',
      '2024-03-05T17:00:00Z user: 早上好',
      '2024-03-05T17:01:00Z 小明: 你好',
    ]);
  });

  it('of Kimi have pictures before who speaks', () => {
    expect(toRead('# 绿茶\n\n## 👤 User\n\n绿茶？\n\n## 🌙 Kimi\n\n80度。\n')).toEqual([
      'markdown-chat',
      '- user: 绿茶？',
      '- Kimi: 80度。',
    ]);
  });
});

describe('notes under dated headings', () => {
  it('take the year of the note for days without one', () => {
    const text = '---\ncreated: 2024-03-01\n---\n## 3月5日\n喝茶\n\n## 2024.03.06\n下雨\n';
    expect(toRead(text)).toEqual(['notes', '2024-03-05 user: 喝茶', '2024-03-06 user: 下雨']);
  });

  it('stay notes where their words end with a clock again and again', () => {
    const note = (day: number) => `## 2024-03-0${day}\n\nI wrote see you at 10:30\n\nand tea\n`;
    expect(toRead([1, 2, 3, 4].map(note).join('\n'))[0]).toBe('notes');
  });
});

describe('Claude without the message where a conversation stands', () => {
  const root = '00000000-0000-4000-8000-000000000000';
  const said = (uuid: string, sender: string, text: string, parent: string | null) => ({
    uuid,
    sender,
    content: [{ type: 'text', text }],
    parent_message_uuid: parent,
  });
  const toWords = (messages: readonly object[]) =>
    toLines(readAll(JSON.stringify([{ uuid: 'k', name: 'T', chat_messages: messages }])));

  it('stands at the last one: what was asked or answered again is on another branch', () => {
    const messages = [
      said('1', 'human', 'I have a dog', root),
      said('1b', 'human', 'I have a cat', root),
      said('2', 'assistant', 'no', '1b'),
      said('2b', 'assistant', 'nice', '1b'),
      said('3', 'human', 'bye', '2b'),
    ];
    expect(toWords(messages)).toEqual(['- user: I have a cat', '- assistant: nice', '- user: bye']);
  });

  it.each([
    ['no message tells the one above', null],
    ['the one above is not there', 'lost'],
  ])('is whole where %s', (_name, parent) => {
    const messages = [said('1', 'human', 'a', root), said('2', 'assistant', 'b', '1'), said('3', 'human', 'c', parent)];
    expect(toWords(messages)).toEqual(['- user: a', '- assistant: b', '- user: c']);
  });
});

it.each([
  ['English', 'location: https://maps.google.com/?q=54.32,10.13'],
  ['German', 'Standort: https://maps.google.com/?q=-54.32,10.13'],
  ['Chinese', '位置: https://maps.google.com/?q=54.32,10.13'],
])('a place that was shared in WhatsApp in %s is media', (_language, words) => {
  const read = readAll(`25/03/2024, 09:00 - Ann: ${words}\n25/03/2024, 09:01 - Ann: see you there\n`);
  expect([...toLines(read), read.leftOut]).toEqual(['2024-03-25T09:01:00Z Ann: see you there', { media: 1 }]);
});

it('heads in bold of a chat in Chinese are heads, and no words of the user', () => {
  const text = '# 聊天记录\n\n**李四** 2024-03-01 10:20:31\n\n你好\n\n**我** `2024-03-01 10:20:40`\n\n在\n';
  expect([...toLines(readAll(text, { file: 'x.md' }))]).toEqual([
    '2024-03-01T10:20:31Z 李四: 你好',
    '2024-03-01T10:20:40Z user: 在',
  ]);
});
