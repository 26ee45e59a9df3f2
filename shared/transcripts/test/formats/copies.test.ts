import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;
const toRead = (text: string, options: Parameters<typeof readAll>[1] = {}) => {
  const read = readAll(text, options);
  return [read.format, ...toLines(read)];
};

describe('pages of assistants, copied or saved by an extension', () => {
  it.each([
    ['ChatGPT', 'You said:', 'ChatGPT said:', 'ChatGPT'],
    ['ChatGPT with headings', '##### You said:', '###### ChatGPT said:', 'ChatGPT'],
    ['ChatGPT in Chinese', '你说：', 'ChatGPT 说：', 'ChatGPT'],
    ['ChatGPT in traditional Chinese', '你說：', 'ChatGPT 說：', 'ChatGPT'],
    ['ChatGPT in German', 'Du hast gesagt:', 'ChatGPT hat gesagt:', 'ChatGPT'],
    ['ChatGPT in Spanish', 'Dijiste:', 'ChatGPT dijo:', 'ChatGPT'],
    ['Gemini', '## You said', '## Gemini said', 'Gemini'],
    ['Claude', 'You said:', 'Claude responded:', 'Claude'],
  ])('of %s tell who speaks', (_name, user, assistant, name) => {
    const text = toText(user, 'hi', '', 'there', assistant, 'hello', user, 'He said: no', assistant, 'ok');
    expect(toRead(text)).toEqual([
      'markdown-chat',
      '- user: hi\n\nthere',
      `- ${name}: hello`,
      '- user: He said: no',
      `- ${name}: ok`,
    ]);
  });

  it.each([
    [
      'in words',
      toText(
        '## Prompt:',
        '3/5/2024, 9:00:00 AM',
        '',
        'hi',
        '',
        '## Response:',
        '3/5/2024, 2:01:00 PM',
        '',
        'hello',
        '',
      ),
      'Response',
    ],
    [
      'in tags',
      toText(
        ...[
          '#### You:',
          '<time datetime="2024-03-05T09:00:00.000Z" title="3/5/2024, 9:00:00 AM">09:00</time>',
          '',
          'hi',
        ],
        ...['', '#### ChatGPT:', '<time datetime="2024-03-05T14:01:00.000Z">14:01</time>', '', 'hello'],
      ),
      'ChatGPT',
    ],
  ])('of ChatGPT Exporter have times %s above the words, and a line of the program below', (_name, text, assistant) => {
    const footer = toText('', '---', 'Powered by [ChatGPT Exporter](https://www.chatgptexporter.com)');
    const [format, ...lines] = toRead(`${text}${footer}`);
    expect(format).toBe('markdown-chat');
    expect(lines.map((line) => line.replace('.000Z', 'Z'))).toEqual([
      '2024-03-05T09:00:00Z user: hi',
      `2024-03-05T14:01:00Z ${assistant}: hello`,
    ]);
  });

  it.each([
    [
      'SpecStory',
      '_**User (2025-03-05 09:00Z)**_',
      '_**Agent (model gpt-5, mode Agent)**_',
      '2025-03-05T09:00:00Z',
      '-',
      'Agent',
    ],
    [
      'bold names',
      '**Human** (2025-03-05 09:00:00)',
      '**Claude** (2025-03-05 09:01:00)',
      '2025-03-05T09:00:00Z',
      '2025-03-05T09:01:00Z',
      'Claude',
    ],
    [
      'headings',
      '## Human (3/5/2025, 9:00:00 AM):',
      '## Claude (3/5/2025, 9:01:00 AM):',
      '2025-03-05T09:00:00Z',
      '2025-03-05T09:01:00Z',
      'Claude',
    ],
    ['models', '## You', '## ChatGPT (GPT-4)', '-', '-', 'ChatGPT'],
  ])('with times or models next to names (%s)', (_name, user, assistant, at, then, name) => {
    expect(toRead(toText('# Title', '', user, '', 'hi', '', assistant, '', 'hello'))).toEqual([
      'markdown-chat',
      `${at} user: hi`,
      `${then} ${name}: hello`,
    ]);
  });

  it('of an extension in JSON keep times', () => {
    const messages = [
      { role: 'Prompt', say: 'hi', time: '3/5/2024, 9:00:00 AM' },
      { role: 'Response', say: 'hello', time: '3/5/2024, 2:01:00 PM' },
    ];
    expect(toRead(JSON.stringify({ metadata: { title: 'Tea' }, messages }))).toEqual([
      'openai',
      '2024-03-05T09:00:00Z user: hi',
      '2024-03-05T14:01:00Z assistant: hello',
    ]);
  });
});

describe('WeChat as text of more exporters', () => {
  it('of WeFlow has names between quotation marks, and the exporter as 我', () => {
    const text = toText("2024-03-01 10:20:31 '小明'", '你好', '', "2024-03-01 10:20:33 '我'", '在', '');
    expect(toRead(text)).toEqual(['wechat', '2024-03-01T10:20:31Z 小明: 你好', '2024-03-01T10:20:33Z user: 在']);
  });

  it('of old versions of QQ has times in brackets', () => {
    const text = toText('(2004-03-01 10:20:31)   小明', '你好', '', '(2004-03-01 10:20:33)   李四', '在', '');
    expect(toRead(text).slice(1)).toEqual(['2004-03-01T10:20:31Z 小明: 你好', '2004-03-01T10:20:33Z 李四: 在']);
  });

  it('of WeChatMsg as CSV is one chat a file, whose numbers may be those of another', () => {
    const head = 'localId,TalkerId,Type,SubType,IsSender,CreateTime,Status,StrContent,StrTime,Remark,NickName,Sender';
    const row = (talker: number, text: string): string =>
      `1,${talker},1,0,0,1709259631,3,${text},2024-03-01 10:20:31,,李四,w`;
    const text = toText(head, row(1, '你好'), row(7, '在'));
    const ids = (file: string) => readAll(text, { file }).conversations.map(({ id }) => id);
    expect(ids('李四_utf8.csv')).toEqual(['wechat-csv-李四']);
    expect(ids('messages.csv')).toEqual(['wechat-csv-1', 'wechat-csv-7']);
  });

  it('of wechat-dump has the kind of a message before the name', () => {
    const text = toText(
      ...['1|小明:2024-03-01 10:20:31:你好', '两行', '1|me:2024-03-01 10:20:33:在: 的'],
      ...['3|小明:2024-03-01 10:20:36:x|img:abc.jpg', '10000|小明:2024-03-01 10:20:37:小明 撤回了一条消息'],
    );
    const read = readAll(text);
    expect(toLines(read)).toEqual(['2024-03-01T10:20:31Z 小明: 你好\n两行', '2024-03-01T10:20:33Z user: 在: 的']);
    expect(read.leftOut).toEqual({ 'media or system message': 2 });
  });
});

describe('LINE with blanks between its columns', () => {
  const turns = [
    '2024-03-05T10:20:00Z 小美: 你好 嗎',
    '2024-03-05T15:21:00Z 阿明: 好',
    '2024-03-05T15:22:00Z 阿明: [相簿] 旅行',
    '2024-03-06T09:00:00Z 小美: 早',
  ];
  const said = [
    '10:20 小美 你好 嗎',
    '15:21 阿明 好',
    '15:22 阿明 貼圖',
    '15:22 阿明 [相簿] 旅行',
    '15:23 阿明 ☎ 通話時間 1:23',
  ];

  it.each([
    ['of a computer', toText('2024.03.05 星期二', ...said, '2024.03.06 星期三', '09:00 小美 早')],
    ['of a telephone', toText('[LINE] 與小美的聊天', '', '2024/3/5(二)', ...said, '2024/3/6(三)', '09:00 小美 早')],
  ])('%s has its names by the words that come again', (_name, text) => {
    expect(toRead(text)).toEqual(['line', ...turns]);
  });

  it('takes the second word for a part of the name where it always follows', () => {
    const text = toText(
      ...['2024.03.05 Tuesday', '10:20 Ann Lee hello', '10:21 Ben hi there', '10:22 Ann Lee how are you'],
      ...['10:23 Ben fine', '10:24 Ann Lee good', '10:25 Ben unsent a message.'],
    );
    expect(toRead(text).slice(1)).toEqual([
      '2024-03-05T10:20:00Z Ann Lee: hello',
      '2024-03-05T10:21:00Z Ben: hi there',
      '2024-03-05T10:22:00Z Ann Lee: how are you',
      '2024-03-05T10:23:00Z Ben: fine',
      '2024-03-05T10:24:00Z Ann Lee: good',
    ]);
  });

  it('is no diary with times', () => {
    const text = toText('2024.03.05 Tuesday', '10:20 woke up', '11:00 had breakfast', '12:00 met Ann', '14:00 slept');
    expect(toRead(text)[0]).not.toBe('line');
  });
});

describe('captions that roll', () => {
  const cue = (number: number, ...lines: readonly string[]): string =>
    `${number}\n00:00:0${number},000 --> 00:00:0${number + 1},000\n${lines.join('\n')}\n\n`;

  it('say each line once', () => {
    const rolling = cue(1, 'hello all') + cue(2, 'hello all', 'to my channel') + cue(3, 'to my channel', 'subscribe');
    expect(toRead(rolling)).toEqual(['subtitles', '- unknown: hello all to my channel subscribe']);
  });

  it('of YouTube have times in their words', () => {
    const text =
      'WEBVTT\nKind: captions\n\n00:00:00.160 --> 00:00:02.389 align:start position:0%\n \nhello<00:00:00.480><c> all</c>\n\n' +
      '00:00:02.389 --> 00:00:02.399 align:start position:0%\nhello all\n \n\n' +
      '00:00:02.399 --> 00:00:05.000 align:start position:0%\nhello all\nto<00:00:03.000><c> my</c><00:00:03.500><c> channel</c>\n\n' +
      '00:00:05.000 --> 00:00:05.010 align:start position:0%\nto my channel\n \n';
    expect(toRead(text)).toEqual(['subtitles', '- unknown: hello all to my channel']);
  });

  it('are not those with a refrain', () => {
    const text = cue(1, 'la la') + cue(2, 'la la') + cue(3, 'la la');
    expect(toRead(text)).toEqual(['subtitles', '- unknown: la la la la la la']);
  });

  it('are not those in which somebody says the same twice', () => {
    const text = cue(1, 'No.') + cue(2, 'No.') + cue(3, 'I said so.') + cue(4, 'Well.') + cue(5, 'Yes.');
    expect(toRead(text)).toEqual(['subtitles', '- unknown: No. No. I said so. Well. Yes.']);
  });
});

it('subtitles of YouTube may have times with commas', () => {
  const text = toText('0:00:01.000,0:00:02.500', 'hello', '', '0:00:02.500,0:00:04.000', 'Ann: world');
  expect(toRead(text)).toEqual(['subtitles', '- unknown: hello', '- Ann: world']);
});

describe('notes of other programs', () => {
  it('of Notion have properties above their words, of which one tells the day', () => {
    const text = toText(
      '# Tea',
      '',
      'Created: March 5, 2024 9:00 AM',
      'Tags: drinks',
      '',
      'I like tea.',
      '',
      'Ann: no',
    );
    const read = readAll(text, { file: 'Notes/Tea 0123456789abcdef0123456789abcdef.md' });
    expect([read.format, read.conversations[0]?.title, ...toLines(read)]).toEqual([
      'notes',
      'Tea',
      '2024-03-05T09:00:00Z user: I like tea.\n\nAnn: no',
    ]);
  });

  it('of Logseq are named by the day', () => {
    const options = { file: 'journals/2024_03_05.md' };
    expect(toRead(toText('- I like tea', '  - green'), options)).toEqual([
      'notes',
      '2024-03-05 user: - I like tea\n  - green',
    ]);
  });

  it('have no speakers called Tags or Created', () => {
    expect(toRead(toText('I like tea.', '', 'Tags: drinks', 'created_time: 2024-03-05'))).toEqual([
      'text',
      '- user: I like tea.\n\nTags: drinks\ncreated_time: 2024-03-05',
    ]);
  });
});

describe('JSON that does not tell who speaks', () => {
  it.each([
    ['feedback of ChatGPT', [{ id: 'x', conversation_id: 'c', rating: 'thumbs_up', content: '{}' }]],
    ['messages of another program', [{ type: 1, text: '你好', is_send: 0, timestamp: 1709259631 }]],
    ['a transcript', { text: 'Hello.', segments: [{ text: 'Hello.' }], language: 'en' }],
  ])('(%s) is refused, and not read as words of the user', (_name, value) => {
    expect(() => readAll(JSON.stringify(value))).toThrow('has neither "speaker" nor "role", but');
  });

  it('is the user’s where it has words and times alone', () => {
    expect(toRead(JSON.stringify([{ content: 'hi', timestamp: '2024-03-05' }]))).toEqual([
      'json',
      '2024-03-05 user: hi',
    ]);
  });
});

describe('examples for fine-tuning under "conversations"', () => {
  it('have roles and contents as well', () => {
    const value = {
      conversations: [
        { role: 'user', content: 'hi' },
        { role: 'assistant', content: 'hello' },
      ],
    };
    expect(toRead(JSON.stringify([value]))).toEqual(['openai', '- user: hi', '- assistant: hello']);
  });
});
