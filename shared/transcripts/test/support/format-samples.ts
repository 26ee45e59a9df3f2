/** One small text of a format: what Ann and Ben say in it, and how the reader is called that it belongs to. */
export interface FormatSample {
  readonly format: string;
  readonly text: string;
  readonly file?: string;
}

const lines = (...all: readonly string[]): string => `${all.join('\n')}\n`;
const jsonl = (...values: readonly unknown[]): string => lines(...values.map((value) => JSON.stringify(value)));
const json = (value: unknown): string => JSON.stringify(value, null, 1);
const ISO = '2024-03-05T09:00:00Z';
const LATER = '2024-03-05T09:01:00Z';
const SECONDS = 1709629200;

const chatgptMessage = (role: string, text: string, parent: string | null) => ({
  message: { author: { role }, create_time: SECONDS, content: { content_type: 'text', parts: [text] } },
  parent,
});
const deepseekNode = (type: string, content: string, parent: string | null) => ({
  parent,
  message: { inserted_at: ISO, fragments: [{ type, content }] },
});
const cell = (prompt: string, answer: string): string =>
  `<div class="outer-cell mdl-cell"><div class="content-cell mdl-typography--body-1">Prompted&nbsp;${prompt}<br>Mar 5, 2024, 9:00:00 AM UTC<br><p>${answer}</p></div><div class="content-cell caption">Gemini Apps</div></div>\n`;
const page = (id: number, name: string, at: string, text: string): string =>
  `\n     <div class="message default clearfix" id="message${id}">\n\n      <div class="body">\n\n       <div class="pull_right date details" title="05.03.2024 ${at} UTC+00:00">\n${at.slice(0, 5)}\n       </div>\n\n       <div class="from_name">\n${name} \n       </div>\n\n       <div class="text">\n${text}\n       </div>\n\n      </div>\n\n     </div>\n`;
const rule = '='.repeat(62);

/** A text of every format, each with the same two things said: by Ann or the user "hello tea", by Ben or an assistant "hello cake". */
export const FORMAT_SAMPLES: readonly FormatSample[] = [
  { format: 'text', text: lines('# 2024-03-05', 'Ann: hello tea', 'Ben: hello cake') },
  {
    format: 'json',
    text: json({
      turns: [
        { speaker: 'Ann', text: 'hello tea' },
        { speaker: 'Ben', text: 'hello cake' },
      ],
      date: ISO,
    }),
  },
  {
    format: 'jsonl',
    text: jsonl({ speaker: 'Ann', text: 'hello tea', timestamp: ISO }, { speaker: 'Ben', text: 'hello cake' }),
  },
  {
    format: 'openai',
    text: jsonl(
      ...[0, 1].map(() => ({
        messages: [
          { role: 'user', content: 'hello tea' },
          { role: 'assistant', content: 'hello cake' },
        ],
      })),
    ),
  },
  {
    format: 'chatgpt',
    text: json([
      {
        title: 'T',
        conversation_id: 'c',
        current_node: 'a',
        mapping: { u: chatgptMessage('user', 'hello tea', null), a: chatgptMessage('assistant', 'hello cake', 'u') },
      },
    ]),
  },
  {
    format: 'claude',
    text: json([
      {
        uuid: 'k',
        name: 'T',
        chat_messages: [
          { uuid: '1', sender: 'human', text: 'hello tea', created_at: ISO },
          { uuid: '2', sender: 'assistant', text: 'hello cake', created_at: LATER },
        ],
      },
    ]),
  },
  {
    format: 'claude-projects',
    text: json([
      {
        uuid: 'p',
        name: 'Ann',
        prompt_template: 'hello tea',
        docs: [{ filename: 'f', content: 'hello cake' }],
        created_at: ISO,
      },
    ]),
  },
  { format: 'claude-memories', text: json([{ conversations_memory: 'hello tea\n\nhello cake', account_uuid: 'a' }]) },
  {
    format: 'deepseek',
    text: json([
      {
        id: 'd',
        title: 'T',
        mapping: { '1': deepseekNode('REQUEST', 'hello tea', null), '2': deepseekNode('RESPONSE', 'hello cake', '1') },
      },
    ]),
  },
  {
    format: 'gemini',
    text: json([
      { header: 'Gemini Apps', title: 'Prompted hello tea', time: ISO, safeHtmlItem: [{ html: '<p>hello cake</p>' }] },
    ]),
  },
  { format: 'gemini-html', text: `<html><body>\n${cell('hello tea', 'hello cake')}</body></html>` },
  {
    format: 'claude-code',
    text: jsonl(
      { type: 'user', sessionId: 's', uuid: '1', timestamp: ISO, message: { role: 'user', content: 'hello tea' } },
      {
        type: 'assistant',
        sessionId: 's',
        uuid: '2',
        timestamp: LATER,
        message: { role: 'assistant', content: [{ type: 'text', text: 'hello cake' }] },
      },
    ),
  },
  {
    format: 'codex',
    text: jsonl(
      { timestamp: ISO, type: 'session_meta', payload: { id: 's' } },
      {
        timestamp: ISO,
        type: 'response_item',
        payload: { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hello tea' }] },
      },
      {
        timestamp: LATER,
        type: 'response_item',
        payload: { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'hello cake' }] },
      },
    ),
  },
  {
    format: 'sillytavern',
    text: jsonl(
      { user_name: 'Ann', character_name: 'Ben', create_date: '2024-3-5 @9h 0m 0s 0ms', chat_metadata: {} },
      { name: 'Ann', is_user: true, send_date: 'March 5, 2024 9:00am', mes: 'hello tea' },
      { name: 'Ben', is_user: false, send_date: 'March 5, 2024 9:01am', mes: 'hello cake' },
    ),
  },
  {
    format: 'signal',
    text: jsonl(
      ...([
        ['Ann', 'hello tea', SECONDS],
        ['Ben', 'hello cake', SECONDS + 60],
      ].map(([sourceName, message, seconds]) => ({
        account: '+490',
        envelope: {
          source: '+491',
          sourceName,
          timestamp: Number(seconds) * 1000,
          dataMessage: { timestamp: Number(seconds) * 1000, message },
        },
      })) as readonly unknown[]),
    ),
  },
  {
    format: 'ai-studio',
    text: json({
      runSettings: { model: 'models/gemini-2.5-pro' },
      chunkedPrompt: {
        chunks: [
          { role: 'user', text: 'hello tea' },
          { role: 'model', text: 'hello cake' },
        ],
      },
    }),
  },
  {
    format: 'csv',
    text: lines('date,time,sender,message', '2024-03-05,09:00:00,Ann,hello tea', '2024-03-05,09:01:00,Ben,hello cake'),
  },
  {
    format: 'telegram',
    text: json({
      name: 'T',
      type: 'personal_chat',
      id: 7,
      messages: [
        { id: 1, type: 'message', date: '2024-03-05T09:00:00', from: 'Ann', from_id: 'user1', text: 'hello tea' },
        { id: 2, type: 'message', date: '2024-03-05T09:01:00', from: 'Ben', from_id: 'user2', text: 'hello cake' },
      ],
    }),
  },
  {
    format: 'discord',
    text: json({
      guild: { id: '1', name: 'G' },
      channel: { id: '2', name: 'c' },
      dateRange: {},
      messages: [
        {
          id: 'a',
          type: 'Default',
          timestamp: ISO.replace('Z', '+00:00'),
          content: 'hello tea',
          author: { name: 'Ann' },
        },
        {
          id: 'b',
          type: 'Default',
          timestamp: LATER.replace('Z', '+00:00'),
          content: 'hello cake',
          author: { name: 'Ben' },
        },
      ],
    }),
  },
  {
    format: 'discord-csv',
    text: lines(
      'AuthorID,Author,Date,Content,Attachments,Reactions',
      '"1","Ann","2024-03-05T09:00:00.0000000+00:00","hello tea","",""',
      '"2","Ben","2024-03-05T09:01:00.0000000+00:00","hello cake","",""',
    ),
  },
  {
    format: 'discord-text',
    text: lines(
      ...[rule, 'Guild: G', 'Channel: c', rule, '', '[3/5/2024 9:00 AM] Ann', 'hello tea', ''],
      ...['[3/5/2024 9:01 AM] Ben', 'hello cake', ''],
    ),
  },
  {
    format: 'slack',
    file: 'export/general/2024-03-05.json',
    text: json([
      { type: 'message', username: 'Ann', text: 'hello tea', ts: '1709629200.000100' },
      { type: 'message', username: 'Ben', text: 'hello cake', ts: '1709629260.000100' },
    ]),
  },
  { format: 'whatsapp', text: lines('25/03/2024, 09:00 - Ann: hello tea', '25/03/2024, 09:01 - Ben: hello cake') },
  {
    format: 'wechat',
    text: lines('2024-03-05 09:00:00 Ann', 'hello tea', '', '2024-03-05 09:01:00 Ben', 'hello cake', ''),
  },
  {
    format: 'wechat-csv',
    text: lines('时间,发送人,消息内容', '2024-03-05 09:00:00,Ann,hello tea', '2024-03-05 09:01:00,Ben,hello cake'),
  },
  {
    format: 'wechat-json',
    text: json([
      { talker: 't', sender: 'a', senderName: 'Ann', isSelf: false, time: ISO, type: 1, content: 'hello tea' },
      { talker: 't', sender: 'b', senderName: 'Ben', isSelf: false, time: LATER, type: 1, content: 'hello cake' },
    ]),
  },
  {
    format: 'chatlab',
    text: json({
      chatlab: { version: '0.0.2' },
      meta: { name: 'T' },
      messages: [
        { sender: '1', accountName: 'Ann', timestamp: SECONDS, type: 0, content: 'hello tea' },
        { sender: '2', accountName: 'Ben', timestamp: SECONDS + 60, type: 0, content: 'hello cake' },
      ],
    }),
  },
  {
    format: 'qq',
    text: lines('2024-03-05 09:00:00 Ann(12345)', 'hello tea', '', '2024-03-05 09:01:00 Ben(54321)', 'hello cake', ''),
  },
  {
    format: 'qq-exporter',
    text: lines(
      ...['聊天名称: T', '', 'Ann:', '时间: 2024-03-05 09:00:00', '内容: hello tea', ''],
      ...['Ben:', '时间: 2024-03-05 09:01:00', '内容: hello cake', ''],
    ),
  },
  {
    format: 'qq-json',
    text: json({
      chatInfo: { name: 'T', type: 'group' },
      statistics: {},
      messages: [
        { id: '1', timestamp: SECONDS * 1000, sender: { uin: '1', name: 'Ann' }, content: { text: 'hello tea' } },
        { id: '2', timestamp: SECONDS * 1000, sender: { uin: '2', name: 'Ben' }, content: { text: 'hello cake' } },
      ],
    }),
  },
  {
    format: 'subtitles',
    text: lines(
      ...['WEBVTT', '', '00:00:01.000 --> 00:00:02.000', '<v Ann>hello tea', ''],
      ...['00:00:03.000 --> 00:00:04.000', '<v Ben>hello cake', ''],
    ),
  },
  {
    format: 'mbox',
    text: lines(
      ...['From 1@x Tue Mar 05 09:00:00 +0000 2024', 'From: Ann <a@x.org>', 'Message-ID: <1@x>'],
      ...['Date: Tue, 05 Mar 2024 09:00:00 +0000', '', 'hello tea', ''],
      ...['From 2@x Tue Mar 05 09:01:00 +0000 2024', 'From: Ben <b@x.org>', 'Message-ID: <2@x>'],
      ...['Date: Tue, 05 Mar 2024 09:01:00 +0000', '', 'hello cake', ''],
    ),
  },
  { format: 'markdown-chat', text: lines('## User', 'hello tea', '', '## Assistant', 'hello cake') },
  {
    format: 'okf',
    file: 'said.md',
    text: lines('---', 'type: episode', 'timestamp: 2024-03-05', '---', 'Ann: hello tea', 'Ben: hello cake'),
  },
  {
    format: 'memory-lines',
    text: lines('## Preferences', '[2024-03-05] - hello tea', '[unknown] - hello cake'),
  },
  {
    format: 'notes',
    file: 'diary.md',
    text: lines('---', 'title: Ann', '---', '## 2024-03-05', 'hello tea', '', '## 2024-03-06', 'hello cake'),
  },
  {
    format: 'line',
    text: lines(
      '[LINE] Chat history with Ben',
      'Saved on: 03/06/2024 10:00',
      '',
      '2024/03/05(Tue)',
      '09:00\tAnn\thello tea',
      '09:01\tBen\thello cake',
    ),
  },
  {
    format: 'messenger',
    text: json({
      participants: [{ name: 'Ann' }, { name: 'Ben' }],
      title: 'Ben',
      thread_path: 'inbox/ben_1',
      messages: [
        { sender_name: 'Ben', timestamp_ms: SECONDS * 1000 + 60_000, content: 'hello cake' },
        { sender_name: 'Ann', timestamp_ms: SECONDS * 1000, content: 'hello tea' },
      ],
    }),
  },
  {
    format: 'imessage',
    file: 'Ben.txt',
    text: lines(
      ...['Mar 05, 2024  9:00:00 AM', 'Ann', 'hello tea', ''],
      ...['Mar 05, 2024  9:01:00 AM (Read by you after 5 seconds)', 'Ben', 'hello cake', ''],
    ),
  },
  {
    format: 'sigtop',
    text: lines(
      ...['Conversation: Ben (+33123456789)', ''],
      ...['From: Ann', 'Type: incoming', 'Sent: Tue, 5 Mar 2024 09:00:00 +0000'],
      ...['Received: Tue, 5 Mar 2024 09:00:01 +0000', '', 'hello tea', ''],
      ...['From: Ben (+33123456789)', 'Type: incoming', 'Sent: Tue, 5 Mar 2024 10:01:00 +0100'],
      ...['Received: Tue, 5 Mar 2024 10:01:01 +0100', '', 'hello cake', ''],
    ),
  },
  {
    format: 'discord-package',
    file: 'messages/c123456789012345678/messages.json',
    text: json([
      { ID: 2, Timestamp: '2024-03-05 09:01:00', Contents: 'hello cake', Attachments: '' },
      { ID: 1, Timestamp: '2024-03-05 09:00:00', Contents: 'hello tea', Attachments: '' },
    ]),
  },
  {
    format: 'telegram-html',
    text: `<!DOCTYPE html>\n<html><body><div class="page_wrap"><div class="page_header"><div class="content">\n<div class="text bold">\nBen\n       </div></div></div><div class="history">\n${page(1, 'Ann', '09:00:00', 'hello tea')}${page(2, 'Ben', '09:01:00', 'hello cake')}</div></div></body></html>`,
  },
  {
    format: 'kakaotalk',
    text: lines(
      ...['Ben 님과 카카오톡 대화', '저장한 날짜 : 2024-03-06 10:00:00', ''],
      '--------------- 2024년 3월 5일 화요일 ---------------',
      ...['[Ann] [오전 9:00] hello tea', '[Ben] [오전 9:01] hello cake'],
    ),
  },
  {
    format: 'kakaotalk-csv',
    text: lines('Date,User,Message', '2024-03-05 09:00:00,"Ann","hello tea"', '2024-03-05 09:01:00,"Ben","hello cake"'),
  },
  {
    format: 'stacked',
    text: lines(
      ...['Ann', '2024-03-05 09:00:00', 'hello tea', '', 'Ben', '2024-03-05 09:01:00', 'hello cake', ''],
      ...['Ann', '2024-03-05 09:02:00', 'bye', ''],
    ),
  },
  {
    format: 'gemini-cli',
    text: json({
      sessionId: 's1',
      projectHash: 'h',
      startTime: ISO,
      messages: [
        { id: '1', timestamp: ISO, type: 'user', content: 'hello tea' },
        { id: '2', timestamp: LATER, type: 'gemini', content: 'hello cake', thoughts: [] },
      ],
    }),
  },
  {
    format: 'gemini-cli-lines',
    text: jsonl(
      { sessionId: 's1', projectHash: 'h', startTime: ISO, lastUpdated: ISO, kind: 'main' },
      { id: '1', timestamp: ISO, type: 'user', content: [{ text: 'hello tea' }] },
      { $set: { lastUpdated: ISO } },
      { id: '2', timestamp: LATER, type: 'gemini', content: 'hello cake', thoughts: [], model: 'gemini-3-pro' },
    ),
  },
  {
    format: 'opencode',
    text: json({
      info: { id: 'ses_1', slug: 'quiet-meadow', directory: '/srv/shop', title: 'Tea', version: '1.18.33' },
      messages: [
        {
          info: { id: 'msg_1', role: 'user', sessionID: 'ses_1', time: { created: Date.parse(ISO) } },
          parts: [{ id: 'prt_1', type: 'text', text: 'hello tea' }],
        },
        {
          info: { id: 'msg_2', role: 'assistant', time: { created: Date.parse(LATER), completed: Date.parse(LATER) } },
          parts: [{ type: 'step-start' }, { type: 'text', text: 'hello cake' }, { type: 'step-finish' }],
        },
      ],
    }),
  },
  {
    format: 'copilot-cli',
    text: jsonl(
      { type: 'session.start', data: { sessionId: 's1', version: 1 }, id: 'a', timestamp: ISO, parentId: null },
      { type: 'user.message', data: { content: 'hello tea' }, id: 'b', timestamp: ISO, parentId: 'a' },
      { type: 'assistant.message', data: { content: 'hello cake' }, id: 'c', timestamp: LATER, parentId: 'b' },
    ),
  },
  {
    format: 'cursor',
    text: jsonl(
      { role: 'user', message: { content: [{ type: 'text', text: '<user_query>\nhello tea\n</user_query>' }] } },
      { role: 'assistant', message: { content: [{ type: 'text', text: 'hello cake' }] } },
    ),
  },
  {
    format: 'vscode-chat',
    text: json({
      requesterUsername: 'Ann',
      responderUsername: 'GitHub Copilot',
      requests: [{ message: { text: 'hello tea' }, timestamp: SECONDS * 1000, response: [{ value: 'hello cake' }] }],
    }),
  },
  {
    format: 'longmemeval',
    text: json([
      {
        question_id: 'q1',
        question: 'what?',
        answer: 'tea',
        haystack_dates: ['2024/03/05 (Tue) 09:00'],
        haystack_sessions: [
          [
            { role: 'user', content: 'hello tea' },
            { role: 'assistant', content: 'hello cake' },
          ],
        ],
      },
    ]),
  },
  {
    format: 'onebot',
    text: jsonl(
      ...(['hello tea', 'hello cake'] as const).map((text, at) => ({
        self_id: 111,
        user_id: 222 - at,
        time: SECONDS + at,
        message_id: at,
        group_id: 5,
        sender: { user_id: 222 - at, nickname: at === 0 ? 'Ann' : 'Ben', card: '' },
        message: [{ type: 'text', data: { text } }],
      })),
    ),
  },
  {
    format: 'wechat-html',
    text: lines(
      '<!DOCTYPE html>',
      '<html><head><title>Ann</title></head><script>const chatMessages = [',
      `{ type:1, text: 'hello tea',is_send:0,avatar_path:'',timestamp:${SECONDS},is_chatroom:0,displayname:'Ann'},`,
      `{ type:1, text: 'hello cake',is_send:1,avatar_path:'',timestamp:${SECONDS + 60},is_chatroom:0,displayname:'Ben'},`,
      ']</script></html>',
    ),
  },
  {
    format: 'speech-json',
    text: json({
      segments: [
        { start: 0, end: 1, text: ' hello tea', speaker: 'SPEAKER_00' },
        { start: 1, end: 2, text: ' hello cake', speaker: 'SPEAKER_01' },
      ],
    }),
  },
  {
    format: 'day-one',
    text: json({
      metadata: { version: '1.0' },
      entries: [
        { uuid: 'A', creationDate: ISO, text: 'hello tea' },
        { uuid: 'B', creationDate: LATER, text: 'hello cake' },
      ],
    }),
  },
  {
    format: 'google-keep',
    text: json(
      ['hello tea', 'hello cake'].map((textContent) => ({
        isTrashed: false,
        isArchived: false,
        title: 'Ann',
        textContent,
        createdTimestampUsec: SECONDS * 1e6,
      })),
    ),
  },
  {
    format: 'evernote',
    text: lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<en-export export-date="20240306T100000Z">',
      ...['hello tea', 'hello cake'].map(
        (words) =>
          `<note><title>Tea</title><created>20240305T090000Z</created><content><![CDATA[<en-note><div>${words}</div></en-note>]]></content></note>`,
      ),
      '</en-export>',
    ),
  },
  {
    format: 'copied',
    text: lines('Ann, [05.03.2024 09:00]', 'hello tea', '', 'Ben, [05.03.2024 09:01]', 'hello cake'),
  },
  {
    format: 'zoom-chat',
    text: lines('09:00:01 From Ann Lee to Everyone:', '\thello tea', '09:00:05 From Ben to Everyone:', '\thello cake'),
  },
  {
    format: 'chatgpt-memory',
    file: 'memory.json',
    text: json([
      { content: 'hello tea', enabled: true, created_at: ISO },
      { content: 'hello cake', enabled: true, created_at: LATER },
    ]),
  },
  {
    format: 'mem0',
    text: json({
      results: [
        { id: '1', memory: 'hello tea', user_id: 'Ann', created_at: ISO },
        { id: '2', memory: 'hello cake', user_id: 'Ann', created_at: LATER },
      ],
    }),
  },
  {
    format: 'memory-graph',
    text: jsonl(
      { type: 'entity', name: 'Ann', entityType: 'person', observations: ['hello tea'] },
      { type: 'entity', name: 'Ben', entityType: 'person', observations: ['hello cake'] },
    ),
  },
  {
    format: 'letta',
    text: json({
      agent_type: 'memgpt_agent',
      name: 'Ben',
      core_memory: [],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'hello tea' }], created_at: ISO },
        { role: 'assistant', content: [{ type: 'text', text: 'hello cake' }], created_at: LATER },
      ],
    }),
  },
  {
    format: 'memory-database',
    text: jsonl(
      { memory_table: 'user_prompts', content_session_id: 's', prompt_text: 'hello tea', created_at: ISO },
      { memory_table: 'observations', project: 'p', title: 'hello cake', created_at: LATER },
    ),
  },
  {
    format: 'skype',
    text: json({
      userId: '8:ann',
      conversations: [
        {
          id: '8:ben',
          displayName: 'Ben',
          MessageList: [
            {
              id: '1',
              displayName: 'Ann',
              originalarrivaltime: ISO,
              messagetype: 'RichText',
              content: 'hello tea',
              from: '8:ann',
            },
            {
              id: '2',
              displayName: 'Ben',
              originalarrivaltime: LATER,
              messagetype: 'RichText',
              content: 'hello cake',
              from: '8:ben',
            },
          ],
        },
      ],
    }),
  },
  {
    format: 'grok',
    text: json({
      conversations: [
        {
          conversation: { id: 'g', title: 'T', create_time: ISO },
          responses: [
            { response: { _id: '1', sender: 'human', message: 'hello tea', create_time: ISO } },
            { response: { _id: '2', sender: 'assistant', message: 'hello cake', create_time: LATER } },
          ],
        },
      ],
    }),
  },
  {
    format: 'google-chat',
    text: json({
      messages: [
        { creator: { name: 'Ann' }, created_date: 'Tuesday, March 5, 2024 at 9:00:00 AM UTC', text: 'hello tea' },
        { creator: { name: 'Ben' }, created_date: 'Tuesday, March 5, 2024 at 9:01:00 AM UTC', text: 'hello cake' },
      ],
    }),
  },
  {
    format: 'lm-studio',
    text: json({
      name: 'T',
      messages: [
        {
          versions: [{ type: 'singleStep', role: 'user', content: [{ type: 'text', text: 'hello tea' }] }],
          currentlySelected: 0,
        },
        {
          versions: [
            {
              type: 'multiStep',
              role: 'assistant',
              steps: [{ type: 'contentBlock', content: [{ type: 'text', text: 'hello cake' }] }],
            },
          ],
          currentlySelected: 0,
        },
      ],
    }),
  },
  {
    format: 'open-webui',
    text: json([
      {
        id: 'o',
        title: 'T',
        chat: {
          history: {
            messages: {
              u: { id: 'u', parentId: null, role: 'user', content: 'hello tea', timestamp: SECONDS },
              a: { id: 'a', parentId: 'u', role: 'assistant', content: 'hello cake', timestamp: SECONDS + 60 },
            },
            currentId: 'a',
          },
        },
      },
    ]),
  },
  {
    format: 'sms-backup',
    file: 'sms.xml',
    text: lines(
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<smses count="2">',
      '<sms address="+33123" date="1709629200000" type="1" body="hello tea" contact_name="Ann" />',
      '<sms address="+33123" date="1709629260000" type="2" body="hello cake" contact_name="Ann" />',
      '</smses>',
    ),
  },
  {
    format: 'messenger-html',
    file: 'inbox/ann_1/message_1.html',
    text: lines(
      '<html><head><title>Ann</title></head><body>',
      ...[
        ['Ann', 'hello tea', 'Mar 05, 2024 9:00:00 am'],
        ['Ben', 'hello cake', 'Mar 05, 2024 9:01:00 am'],
      ].map(
        ([name, words, time]) =>
          `<div class="pam _3-95 _2ph- _a6-g uiBoxWhite noborder"><h2 class="_3-95 _2pim _a6-h _a6-i">${name}</h2><div class="_3-95 _a6-p"><div><div></div><div>${words}</div><div></div></div></div><div class="_3-94 _a6-o">${time}</div></div>`,
      ),
      '</body></html>',
    ),
  },
  {
    format: 'irc',
    file: '2024-03-05.log',
    text: lines('[09:00:00] <Ann> hello tea', '[09:01:00] <Ben> hello cake'),
  },
  {
    format: 'nextchat',
    text: json({
      'chat-next-web-store': {
        sessions: [
          {
            id: 'n',
            topic: 'T',
            messages: [
              { id: '1', role: 'user', content: 'hello tea', date: '2024/3/5 09:00:00' },
              { id: '2', role: 'assistant', content: 'hello cake', date: '2024/3/5 09:00:05' },
            ],
          },
        ],
      },
    }),
  },
  {
    format: 'lobe-chat',
    text: json({
      exportType: 'sessions',
      state: {
        messages: [
          { id: '1', role: 'user', content: 'hello tea', createdAt: SECONDS * 1000, topicId: 't' },
          { id: '2', role: 'assistant', content: 'hello cake', createdAt: SECONDS * 1000 + 1, topicId: 't' },
        ],
      },
    }),
  },
  {
    format: 'cherry-studio',
    text: json({
      time: SECONDS * 1000,
      version: 5,
      localStorage: {},
      indexedDB: {
        topics: [
          {
            id: 't',
            messages: [
              { id: '1', role: 'user', createdAt: ISO, blocks: ['b'] },
              { id: '2', role: 'assistant', createdAt: LATER, blocks: ['c'] },
            ],
          },
        ],
        message_blocks: [
          { id: 'b', type: 'main_text', content: 'hello tea' },
          { id: 'c', type: 'main_text', content: 'hello cake' },
        ],
      },
    }),
  },
  {
    format: 'chatbox',
    text: json({
      'session:s': {
        id: 's',
        name: 'T',
        messages: [
          { id: '1', role: 'user', contentParts: [{ type: 'text', text: 'hello tea' }], timestamp: SECONDS * 1000 },
          { id: '2', role: 'assistant', content: 'hello cake', timestamp: SECONDS * 1000 },
        ],
      },
    }),
  },
  {
    format: 'typingmind',
    text: json({
      data: {
        chats: [
          {
            chatID: 'c',
            chatTitle: 'T',
            messages: [
              { uuid: '1', role: 'user', content: 'hello tea', createdAt: ISO },
              { uuid: '2', role: 'assistant', content: 'hello cake', createdAt: LATER },
            ],
          },
        ],
      },
    }),
  },
  {
    format: 'aider',
    text: lines('# aider chat started at 2024-03-05 09:00:00', '', '#### hello tea  ', '', 'hello cake'),
  },
  {
    format: 'imazing-csv',
    text: lines(
      'Chat Session,Message Date,Sent Date,Type,Sender ID,Sender Name,Status,Forwarded,Replying to,Text,Reactions,Attachment',
      'Ann,2024-03-05 09:00:00,,Incoming,+331,Ann,Read,,,hello tea,,',
      'Ann,2024-03-05 09:01:00,,Outgoing,,,Read,,,hello cake,,',
    ),
  },
  {
    format: 'speech-tsv',
    text: lines('start\tend\ttext\tspeaker', '0\t900\thello tea\tAnn', '900\t1800\thello cake\tBen'),
  },
  {
    format: 'cline',
    text: json([
      { role: 'user', content: [{ type: 'text', text: '<task>\nhello tea\n</task>' }] },
      { role: 'assistant', content: [{ type: 'text', text: 'hello cake' }] },
    ]),
  },
];
