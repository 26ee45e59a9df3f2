import { describe, expect, it } from '@jest/globals';
import { type Reading, readAll, toLines } from '../support/reading.ts';

const toRead = (read: Reading): readonly string[] => [read.format, ...toLines(read)];
const toTitles = ({ conversations }: Reading) => conversations.map(({ id, title }) => `${id}: ${title ?? '-'}`);
const MILLISECONDS = 1_709_629_200_000;
const [AT, LATER] = ['2024-03-05T09:00:00.000Z', '2024-03-05T09:01:00.000Z'];

describe('NextChat', () => {
  const toBackup = (dates: readonly string[]) =>
    JSON.stringify({
      'chat-next-web-store': {
        sessions: [
          {
            id: 'a1',
            topic: '茶',
            memoryPrompt: 'a summary',
            lastUpdate: MILLISECONDS,
            messages: [
              { id: '0', role: 'system', content: 'be kind', date: dates[0] },
              {
                id: '1',
                role: 'user',
                content: [{ type: 'text', text: '茶?' }, { type: 'image_url' }],
                date: dates[0],
              },
              { id: '2', role: 'assistant', content: '好', date: dates[1], model: 'gpt-4o', streaming: false },
              { id: '3', role: 'assistant', content: '{"error": true}', date: dates[1], isError: true },
            ],
          },
          { id: 7, topic: '', messages: [{ role: 'user', content: 'bye', date: '' }] },
        ],
        currentSessionIndex: 0,
      },
      'access-control': { openaiApiKey: 'sk-never' },
    });

  it.each([
    ['Chinese', '2024/3/5 09:00:00', '2024/3/5 21:01:00'],
    ['Chinese, 12 hours', '2024/3/5 上午9:00:00', '2024/3/5 下午9:01:00'],
    ['English', '3/5/2024, 9:00:00 AM', '3/5/2024, 9:01:00 PM'],
    ['German', '5.3.2024, 09:00:00', '5.3.2024, 21:01:00'],
    ['British', '05/03/2024, 09:00:00', '05/03/2024, 21:01:00'],
  ])('gives words with the times that a browser in %s wrote', (_language, first, second) => {
    const read = readAll(toBackup([first, second]), { timezone: 'Asia/Shanghai' });
    expect(toRead(read)).toEqual([
      'nextchat',
      '2024-03-05T09:00:00+08:00 user: 茶?',
      '2024-03-05T21:01:00+08:00 assistant: 好',
      '- user: bye',
    ]);
    expect(toTitles(read)).toEqual(['nextchat-a1: 茶', 'nextchat-7: -']);
    expect(read.leftOut).toEqual({ 'message of the system or of a tool': 1, 'error of the program': 1 });
  });
});

describe('LobeChat', () => {
  const message = (id: string, role: string, content: string, at: number, more: object = {}) => ({
    id,
    role,
    content,
    createdAt: MILLISECONDS + at * 60_000,
    sessionId: 'inbox',
    topicId: 't1',
    ...more,
  });
  const messages = [
    message('2', 'assistant', 'yes', 1),
    message('1', 'user', 'tea?', 0),
    message('3', 'assistant', '...', 1, { error: { type: 'OllamaBizError' } }),
    message('4', 'tool', '{}', 1),
    message('5', 'user', 'no topic', 0, { topicId: undefined, sessionId: 's1' }),
  ];
  const expected = [`lobe-chat`, `${AT} user: tea?`, `${LATER} assistant: yes`, `${AT} user: no topic`];

  it('gives the sessions of the browser in the order of their times, with titles, without answers that failed', () => {
    const state = {
      messages,
      topics: [{ id: 't1', title: 'Tea', sessionId: 'inbox' }],
      sessions: [{ id: 's1', meta: { title: 'Coder' }, config: { systemRole: 'be kind' } }],
    };
    const read = readAll(JSON.stringify({ exportType: 'sessions', state, version: 7 }));
    expect(toRead(read)).toEqual(expected);
    expect(toTitles(read)).toEqual(['lobe-chat-t1: Tea', 'lobe-chat-s1: Coder']);
    expect(read.leftOut).toEqual({ 'error of the program': 1, 'message of the system or of a tool': 1 });
  });

  it('gives the tables of a database', () => {
    const rows = messages.map((one) => ({ ...one, createdAt: new Date(one.createdAt).toISOString(), threadId: null }));
    const data = {
      userInstalledPlugins: [{ settings: { KEY: 'sk-never' } }],
      topics: [{ id: 't1', title: 'Tea' }],
      sessions: [{ id: 's1', title: 'Coder' }],
      messages: rows,
    };
    expect(toRead(readAll(JSON.stringify({ data, mode: 'postgres', schemaHash: 'x' })))).toEqual(expected);
  });
});

describe('Cherry Studio', () => {
  const message = (id: string, role: string, at: string, more: object) => ({
    id,
    role,
    assistantId: 'a',
    topicId: 't',
    createdAt: at,
    status: 'success',
    ...more,
  });
  const topics = [
    {
      id: 't',
      messages: [
        message('1', 'user', AT, { blocks: ['b1', 'f1'] }),
        message('2', 'assistant', LATER, { blocks: ['h1', 'b2', 'c2'], askId: '1', foldSelected: true }),
        message('3', 'assistant', LATER, { blocks: ['b3'], askId: '1', foldSelected: false }),
      ],
    },
    { id: 'old', messages: [message('4', 'user', AT, { content: 'as it was', type: 'text' })] },
  ];
  const blocks = [
    { id: 'b1', messageId: '1', type: 'main_text', content: 'tea?' },
    { id: 'f1', messageId: '1', type: 'file', file: { name: 'x.pdf' } },
    { id: 'h1', messageId: '2', type: 'thinking', content: 'hm' },
    { id: 'b2', messageId: '2', type: 'main_text', content: 'yes' },
    { id: 'c2', messageId: '2', type: 'code', content: 'brew()' },
    { id: 'b3', messageId: '3', type: 'main_text', content: 'of another model' },
  ];
  const assistants = JSON.stringify({ assistants: [{ id: 'a', topics: [{ id: 't', name: '茶', messages: [] }] }] });
  const stored = JSON.stringify({ assistants, llm: '{"apiKey":"sk-never"}' });

  it.each([
    ['below', { topics, message_blocks: blocks }],
    ['above', { message_blocks: blocks, topics }],
  ])('gives the words of blocks that stand %s the topics, with the answer that was chosen', (_where, tables) => {
    const backup = {
      time: MILLISECONDS,
      version: 5,
      localStorage: { 'persist:cherry-studio': stored },
      indexedDB: tables,
    };
    const read = readAll(JSON.stringify(backup), { file: 'data.json', pieces: [1, 50] });
    expect(toRead(read)).toEqual([
      'cherry-studio',
      `${AT} user: tea?`,
      `${LATER} assistant: yes\nbrew()`,
      `${AT} user: as it was`,
    ]);
    expect(toTitles(read)).toEqual(['cherry-studio-t: 茶', 'cherry-studio-old: -']);
    expect(read.leftOut).toEqual({ 'answer that was not chosen': 1 });
  });
});

describe('Chatbox', () => {
  const said = (role: string, text: string, more: object = {}) => ({
    id: text,
    role,
    contentParts: [{ type: 'text', text }],
    timestamp: MILLISECONDS,
    ...more,
  });

  it('gives sessions and the threads before, without the examples that it brings along', () => {
    const read = readAll(
      JSON.stringify({
        __exported_items: ['conversations'],
        settings: { providers: { openai: { apiKey: 'sk-never' } } },
        'chat-sessions-list': [{ id: 's', name: 'Tea' }],
        'session:s': {
          id: 's',
          name: 'Tea',
          type: 'chat',
          threadName: 'Cake',
          messages: [
            said('system', 'be kind'),
            said('user', 'cake?'),
            said('assistant', 'yes', {
              contentParts: [
                { type: 'reasoning', text: 'hm' },
                { type: 'text', text: 'yes' },
              ],
            }),
            said('assistant', 'all of it', { isSummary: true }),
          ],
          threads: [{ id: 'before', name: 'Tea', messages: [said('user', 'tea?')], createdAt: MILLISECONDS }],
        },
        'session:e': {
          id: 'e',
          name: 'Translator (Example)',
          messages: [said('user', 'of the program', { timestamp: undefined }), said('user', 'of mine')],
        },
      }),
    );
    expect(toRead(read)).toEqual([
      'chatbox',
      `${AT} user: tea?`,
      `${AT} user: cake?`,
      `${AT} assistant: yes`,
      `${AT} user: of mine`,
    ]);
    expect(toTitles(read)).toEqual(['chatbox-before: Tea', 'chatbox-s: Cake', 'chatbox-e: Translator (Example)']);
    expect(read.leftOut).toEqual({
      'message of the system or of a tool': 1,
      'summary of the program': 1,
      'example of the program': 1,
    });
  });

  it('gives the list of older versions', () => {
    const session = {
      id: 'o',
      name: 'Old',
      messages: [{ id: '1', role: 'user', content: 'tea?', timestamp: MILLISECONDS }],
    };
    const read = readAll(JSON.stringify({ configVersion: 3, 'chat-sessions': [session] }));
    expect([...toRead(read), ...toTitles(read)]).toEqual(['chatbox', `${AT} user: tea?`, 'chatbox-o: Old']);
  });
});

describe('TypingMind', () => {
  const chat = {
    chatID: 'x1',
    chatTitle: 'Tea',
    model: 'gpt-4',
    folderID: 'f',
    preview: 'tea?',
    messages: [
      { uuid: '0', role: 'system', content: 'be kind' },
      { uuid: '1', role: 'user', content: [{ type: 'text', text: 'tea?' }, { type: 'image_url' }], createdAt: AT },
      { uuid: '2', role: 'assistant', content: 'yes', createdAt: LATER },
      { uuid: '3', role: 'assistant', content: null, tool_calls: [] },
    ],
  };

  it.each([
    ['everything', { data: { chats: [chat], folders: [], userPrompts: [] }, checksum: 'x' }],
    ['chats under a key', { chats: [chat] }],
    ['a list of chats', [chat]],
    ['one chat', chat],
  ])('gives the words and times of %s', (_form, value) => {
    const read = readAll(JSON.stringify(value));
    expect(toRead(read)).toEqual(['typingmind', `${AT} user: tea?`, `${LATER} assistant: yes`]);
    expect(toTitles(read)).toEqual(['typingmind-x1: Tea']);
    expect(read.leftOut).toEqual({ 'message of the system or of a tool': 1, 'call of a tool, or thought': 1 });
    expect(read.faults).toEqual([]);
  });
});

describe('aider', () => {
  const history = [
    '',
    '# aider chat started at 2024-03-05 09:00:00',
    '',
    '> Aider v0.86.2  ',
    '> Main model: sonnet  ',
    'goes on without a mark',
    '',
    'and here',
    '',
    '#### /add tea.py  ',
    '',
    '> Added tea.py to the chat  ',
    '',
    '#### /ask make tea  ',
    '#### and cake  ',
    '',
    '# Plan',
    '> a quotation',
    '#### Steps',
    '```',
    '# brew',
    '```',
    '',
    '> Tokens: 2k sent  ',
    'Cost: little',
    '',
    '#### thanks  ',
    '',
    'Welcome.',
    '',
    '# aider chat started at 2024-03-06 10:00:00',
    '',
    '#### again  ',
    '',
  ];
  const expected = (heading: string) => [
    'aider',
    '2024-03-05T09:00:00Z user: make tea\nand cake',
    `2024-03-05T09:00:00Z assistant: ${heading}`,
    '2024-03-05T09:00:00Z user: thanks',
    '2024-03-05T09:00:00Z assistant: Welcome.',
    '2024-03-06T10:00:00Z user: again',
  ];

  it('gives what was asked and answered in each session, without commands and lines of the program', () => {
    const read = readAll(history.join('\n'), { file: '.aider.chat.history.md', pieces: [1, 7] });
    expect(toRead(read)).toEqual(expected('# Plan\n> a quotation\n#### Steps\n```\n# brew\n```'));
    expect(toTitles(read)).toEqual([
      'aider-20240305090000: aider 2024-03-05 09:00:00',
      'aider-20240306100000: aider 2024-03-06 10:00:00',
    ]);
  });

  it('is read too when an editor has cut the blanks at the ends of lines off', () => {
    const cut = history.filter((line) => !/^(?:#### Steps|> a quotation)/u.test(line)).map((line) => line.trimEnd());
    expect(toRead(readAll(cut.join('\n')))).toEqual(expected('# Plan\n```\n# brew\n```'));
  });
});

describe('Cline', () => {
  const text = (...texts: readonly string[]) => texts.map((one) => ({ type: 'text', text: one }));
  const user = (...texts: readonly string[]) => ({ role: 'user', content: text(...texts), ts: MILLISECONDS });
  const assistant = (words: string) => ({ role: 'assistant', content: text(words), ts: MILLISECONDS });

  it('gives what the user wrote and was told, without wrappers, files, results and surroundings', () => {
    const read = readAll(
      JSON.stringify([
        user('<task>\nmake tea\n</task>', '<environment_details>\n# Tabs\n</environment_details>'),
        assistant('<thinking>hm</thinking>I look.\n<read_file>\n<path>tea.md</path>\n</read_file>'),
        user("[read_file for 'tea.md'] Result:", 'a file with <task>not said</task>', '<environment_details>x'),
        assistant('<ask_followup_question>\n<question>Green?</question>\n</ask_followup_question>'),
        user("[ask_followup_question for 'Green?'] Result:", '<answer>\nblack\n</answer>'),
        assistant('Done.\n<attempt_completion>\n<result>\nTea is ready.\n</result>\n</attempt_completion>'),
        user(
          '[attempt_completion] Result:\nThe user has provided feedback on the results.\n<feedback>\nwarmer\n</feedback>',
        ),
        { role: 'assistant', content: [{ type: 'tool_use', name: 'x' }] },
      ]),
      { file: 'tasks/1/api_conversation_history.json' },
    );
    expect(toRead(read)).toEqual([
      'cline',
      `${AT} user: make tea`,
      `${AT} assistant: I look.`,
      `${AT} assistant: Green?`,
      `${AT} user: black`,
      `${AT} assistant: Done.\nTea is ready.`,
      `${AT} user: warmer`,
    ]);
    expect(read.leftOut).toEqual({ 'line of the program or of a helper': 6, 'call of a tool, or thought': 1 });
    expect(read.faults).toEqual([]);
  });
});
