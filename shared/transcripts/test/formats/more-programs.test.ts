import { describe, expect, it } from '@jest/globals';
import { readAll, toLines } from '../support/reading.ts';

const toText = (...lines: readonly string[]): string => `${lines.join('\n')}\n`;

describe('the page of WeChatMsg', () => {
  const literal = (rest: string, at: number): string => `${rest},timestamp:${1709259600 + at},is_chatroom:0`;
  const page = toText(
    '<!DOCTYPE html>',
    '<html><head><title>李四</title></head><body><script>const chatMessages = [',
    `${literal("{ type:0, text: '2024-03-01 10:20:00',is_send:0,avatar_path:''", 0)}},`,
    `${literal(String.raw`{ type:1, text: '他说\'好\' &lt;3\n两行 is_send:1',is_send:0,avatar_path:'a.png'`, 1)},displayname:'李四'},`,
    `${literal("{ type:1, text: '在',is_send:1,avatar_path:'b.png'", 2)},displayname:'我的名'},`,
    `${literal("{ type:3, text: './image/1.png',is_send:1,avatar_path:''", 3)},displayname:'我的名'},`,
    `${literal("{ type:49, text: '好的',is_send:0,sub_type:57,refer_text: '我的名：在',avatar_path:''", 4)},displayname:'李四'},`,
    `${literal("{ type:49, text: './file/a.pdf',is_send:0,avatar_path:''", 5)},displayname:'李四',sub_type:6},`,
    `${literal("{ type:49,sub_type:5, text:'',is_send:0,avatar_path:'',url:'u'", 6)},displayname:'李四',title:'t'},`,
    ']</script></body></html>',
  );

  it.each([[[1024 * 1024]], [[1, 7, 3]]])(
    'gives words and answers, who exported it, and the name above (%p)',
    (pieces) => {
      const read = readAll(page, { file: 'x.html', pieces, timezone: 'Asia/Shanghai' });
      expect([read.format, read.conversations[0]?.title, ...toLines(read)]).toEqual([
        'wechat-html',
        '李四',
        "2024-03-01T10:20:01+08:00 李四: 他说'好' <3\n两行 is_send:1",
        '2024-03-01T10:20:02+08:00 user: 在',
        '2024-03-01T10:20:04+08:00 李四: 好的',
      ]);
      expect(read.leftOut).toEqual({ 'system message': 1, 'media or system message': 3 });
      expect(read.faults).toEqual([]);
    },
  );
});

describe('QQ as bots keep it', () => {
  const message = (user: number, nickname: string, message: unknown, more: object = {}) => ({
    self_id: 111,
    user_id: user,
    time: 1709259631,
    message_id: 1,
    message_type: 'group',
    group_id: 555,
    sender: { user_id: user, nickname, card: '' },
    message,
    ...more,
  });
  const list = [
    message(222, '小明', [
      { type: 'at', data: { qq: '111', name: '我' } },
      { type: 'text', data: { text: '你好' } },
    ]),
    message(111, '我', '[CQ:image,file=x]在&#91;吗&#93;'),
    message(222, '小明', [{ type: 'image', data: { file: 'x' } }]),
    message(333, '李四', '走', { group_id: 666, sender: { nickname: '李四', card: '四' } }),
  ];

  it.each([
    ['a list', JSON.stringify(list)],
    ['the answer of a call', JSON.stringify({ status: 'ok', retcode: 0, data: { messages: list } })],
    ['lines', list.map((one) => JSON.stringify(one)).join('\n')],
  ])('in %s is told apart by groups, with whose bot it is as the user', (_name, text) => {
    const read = readAll(text);
    expect([read.format, ...read.conversations.map(({ id }) => id)]).toEqual([
      'onebot',
      'qq-group-555',
      'qq-group-666',
    ]);
    expect(toLines(read).map((line) => line.replace('2024-03-01T02:20:31.000Z ', ''))).toEqual([
      '小明: @我 你好',
      'user: 在[吗]',
      '四: 走',
    ]);
    expect(read.leftOut).toEqual({ media: 1 });
  });
});

describe('what is taken back of QQ', () => {
  it('is left out, in a group and in a private chat, and other notices are no messages', () => {
    const said = (message_id: number | string, text: string, more: object = {}) => ({
      post_type: 'message',
      self_id: 111,
      user_id: 222,
      time: 1709259631,
      message_id,
      sender: { user_id: 222, nickname: '小明' },
      message: text,
      ...more,
    });
    const notice = (notice_type: string, more: object) => ({ post_type: 'notice', notice_type, user_id: 222, ...more });
    const lines = [
      said(1, '在吗', { group_id: 555 }),
      said(2, '说错了', { group_id: 555 }),
      said('a', '私下说'),
      said('b', '不该说'),
      notice('group_recall', { group_id: 555, message_id: 2, operator_id: 222 }),
      notice('friend_recall', { message_id: 'b' }),
      notice('group_recall', { group_id: 555, message_id: 99 }),
      notice('group_increase', { group_id: 555 }),
      { post_type: 'meta_event', meta_event_type: 'heartbeat' },
    ];
    for (const text of [JSON.stringify(lines), lines.map((one) => JSON.stringify(one)).join('\n')]) {
      const read = readAll(text);
      expect(read.format).toBe('onebot');
      expect(toLines(read).map((line) => line.replace('2024-03-01T02:20:31.000Z ', ''))).toEqual([
        '小明: 在吗',
        '小明: 私下说',
      ]);
      expect(read.leftOut).toEqual({
        'deleted message': 2,
        'deletion of a message that is not there': 1,
        'system message': 2,
      });
      expect(read.faults).toEqual([]);
    }
  });
});

describe('transcripts of speech', () => {
  const parts = (words: string, speaker: string, who: readonly (string | number)[]) =>
    ['Hello.', 'All.', 'Hi.'].map((text, at) => ({ start: at, end: at + 1, [words]: ` ${text}`, [speaker]: who[at] }));

  it.each([
    [
      'WhisperX',
      { segments: parts('text', 'speaker', ['SPEAKER_00', 'SPEAKER_00', 'SPEAKER_01']) },
      ['SPEAKER_00', 'SPEAKER_01'],
    ],
    [
      'AssemblyAI',
      { id: 'x', text: 'Hello.', utterances: parts('text', 'speaker', ['A', 'A', 'B']) },
      ['Speaker A', 'Speaker B'],
    ],
    [
      'Deepgram',
      { metadata: {}, results: { utterances: parts('transcript', 'speaker', [0, 0, 1]) } },
      ['Speaker 0', 'Speaker 1'],
    ],
    [
      'Amazon',
      { results: { audio_segments: parts('transcript', 'speaker_label', ['spk_0', 'spk_0', 'spk_1']) } },
      ['spk_0', 'spk_1'],
    ],
  ])('of %s join what one person says', (_name, value, [first, second]) => {
    const read = readAll(JSON.stringify(value), { file: 'talk.json' });
    expect([read.format, ...toLines(read)]).toEqual(['speech-json', `- ${first}: Hello. All.`, `- ${second}: Hi.`]);
  });

  it('of Whisper are of nobody known, and tell no date', () => {
    const value = {
      text: ' Hello. Hi.',
      segments: [
        { id: 0, start: 0, end: 1, text: ' Hello.' },
        { id: 1, start: 1, end: 2, text: ' Hi.' },
      ],
    };
    const read = readAll(JSON.stringify(value));
    expect(toLines(read)).toEqual(['- unknown: Hello. Hi.']);
    expect(read.notes).toEqual(['transcripts of speech tell no date: give --date']);
  });
});

describe('notes of applications', () => {
  it('of Day One are one entry each', () => {
    const entries = [
      { uuid: 'A', creationDate: '2024-03-05T09:00:00Z', text: '# Tea\n\nI like it\\.\n![](dayone-moment://ABC)' },
      { uuid: 'B', creationDate: '2024-03-06T09:00:00Z', text: '![](dayone-moment://ABC)' },
    ];
    const read = readAll(JSON.stringify({ metadata: { version: '1.0' }, entries }));
    expect([read.format, ...toLines(read)]).toEqual(['day-one', '2024-03-05T09:00:00.000Z user: # Tea\n\nI like it.']);
    expect(read.leftOut).toEqual({ 'note without words': 1 });
  });

  it('of Google Keep have a title, words or a list; deleted ones are left out', () => {
    const note = { isTrashed: false, isArchived: false, createdTimestampUsec: 1709629200000000 };
    const notes = [
      { ...note, title: 'Tea', textContent: 'I like it.' },
      { ...note, title: '', listContent: [{ text: 'milk' }, { text: 'tea' }] },
      { ...note, title: 'x', textContent: 'y', isTrashed: true },
    ];
    expect(notes.flatMap((one) => toLines(readAll(JSON.stringify(one))))).toEqual([
      '2024-03-05T09:00:00.000Z user: Tea\nI like it.',
      '2024-03-05T09:00:00.000Z user: - milk\n- tea',
    ]);
  });

  it('of Evernote are read without their pictures, wherever the file is cut', () => {
    const note = (title: string, words: string): string =>
      `<note><title>${title}</title><created>20240305T090000Z</created><content><![CDATA[<?xml version="1.0"?><en-note><div>${words}</div></en-note>]]></content>` +
      `<resource><data encoding="base64">${'AAAA'.repeat(50)}</data></resource></note>`;
    const text = `<?xml version="1.0"?>\n<en-export>${note('Tea &amp; cake', 'I like it.<br/>Much.')}${note('Milk', 'Not so.')}</en-export>\n`;
    for (const pieces of [[1024 * 1024], [1, 9, 4]]) {
      const read = readAll(text, { file: 'notes.enex', pieces });
      expect([read.format, ...read.conversations.map(({ title }) => title), ...toLines(read)]).toEqual([
        'evernote',
        'Tea & cake',
        'Milk',
        '2024-03-05T09:00:00Z user: Tea & cake\nI like it.\nMuch.',
        '2024-03-05T09:00:00Z user: Milk\nNot so.',
      ]);
    }
  });
});

describe('sessions with assistants that write code', () => {
  it('of Gemini CLI leave out notices, commands, thoughts and calls', () => {
    const message = (type: string, content: unknown) => ({
      id: '1',
      timestamp: '2025-10-18T14:57:28.974Z',
      type,
      content,
    });
    const messages = [
      message('info', 'Update available'),
      message('user', '/stats'),
      message('user', 'fix the bug'),
      { ...message('gemini', ''), toolCalls: [{ name: 'shell' }] },
      { ...message('gemini', [{ text: 'Fixed.' }]), thoughts: [{ subject: 's', description: 'd' }] },
    ];
    const read = readAll(JSON.stringify({ sessionId: 's1', projectHash: 'h', startTime: 'x', messages }));
    expect([read.format, read.conversations[0]?.id, ...toLines(read)]).toEqual([
      'gemini-cli',
      'gemini-cli-s1',
      '2025-10-18T14:57:28.000Z user: fix the bug',
      '2025-10-18T14:57:28.000Z assistant: Fixed.',
    ]);
    expect(read.leftOut).toEqual({ 'line of the program or of a helper': 2, 'call of a tool, or thought': 1 });
  });

  it('of Gemini CLI, line by line, give a message once, and none that was taken back or that a compressed session goes on with', () => {
    const at = '2026-03-02T01:11:45.000Z';
    const user = (id: string, text: string) => ({ id, timestamp: at, type: 'user', content: [{ text }] });
    const answer = { id: '2', timestamp: at, type: 'gemini', content: 'Fixed.', thoughts: [] };
    const records = [
      { sessionId: 's1', projectHash: 'h', startTime: at, lastUpdated: at, kind: 'main' },
      user('1', 'fix the bug'),
      answer,
      { ...answer, tokens: { total: 3 }, toolCalls: [{ id: 't', name: 'read_file' }] },
      user('3', 'delete all'),
      { id: '4', timestamp: at, type: 'gemini', content: '' },
      { $rewindTo: '3' },
      { id: '5', timestamp: at, type: 'info', content: 'Request cancelled.' },
      { $set: { messages: [user('9', 'A summary of it all')], lastUpdated: at } },
      user('6', 'thanks'),
    ];
    const read = readAll(records.map((one) => JSON.stringify(one)).join('\n'));
    expect([read.format, read.conversations[0]?.id, ...toLines(read)]).toEqual([
      'gemini-cli-lines',
      'gemini-cli-s1',
      `${at} user: fix the bug`,
      `${at} assistant: Fixed.`,
      `${at} user: thanks`,
    ]);
    // A part of a session, as a hook reads it on.
    const part = readAll(
      ['{}', JSON.stringify(user('7', 'and then')), JSON.stringify({ ...answer, id: '8' })].join('\n'),
    );
    expect([part.format, ...toLines(part)]).toEqual([
      'gemini-cli-lines',
      `${at} user: and then`,
      `${at} assistant: Fixed.`,
    ]);
  });

  it('of OpenCode leave out tools, what it adds itself and what it shortened a session to', () => {
    const created = Date.parse('2026-03-02T01:11:45.421Z');
    const message = (role: string, parts: readonly object[], more: object = {}) => ({
      info: { id: 'm', role, sessionID: 's', time: { created }, ...more },
      parts,
    });
    const text = (words: string, more: object = {}) => ({ type: 'text', text: words, ...more });
    const messages = [
      message('user', [text('fix the bug'), text('The file has 3 lines.', { synthetic: true })], {
        summary: { diffs: [] },
      }),
      message('assistant', [{ type: 'tool', tool: 'bash', state: { output: 'ok' } }]),
      message('assistant', [{ type: 'reasoning', text: 'Hm.' }, text('Fixed.')]),
      message('user', [{ type: 'compaction', auto: true }]),
      message('assistant', [text('The bug was fixed.')], { summary: true, mode: 'compaction' }),
      message('user', [text('Continue.', { synthetic: true })]),
      { info: { role: 'tool' }, parts: [] },
    ];
    const read = readAll(JSON.stringify({ info: { id: 's', title: 'A bug' }, messages }));
    expect([read.format, read.conversations[0]?.id, read.conversations[0]?.title, ...toLines(read)]).toEqual([
      'opencode',
      'opencode-s',
      'A bug',
      '2026-03-02T01:11:45.421Z user: fix the bug',
      '2026-03-02T01:11:45.421Z assistant: Fixed.',
    ]);
    expect(read.leftOut).toEqual({ 'line of the program or of a helper': 2, 'call of a tool, or thought': 2 });
    expect(read.faults).toHaveLength(1);
  });

  it('of Copilot CLI leave out tools and helpers', () => {
    const event = (type: string, data: object, more: object = {}) =>
      JSON.stringify({ type, data, id: 'x', timestamp: '2026-03-02T01:11:45.421Z', parentId: 'p', ...more });
    const read = readAll(
      [
        event('session.start', { sessionId: '4de4', version: 1 }, { parentId: null }),
        event('user.message', { content: 'fix the bug', transformedContent: '<reminder>x</reminder>fix the bug' }),
        event('assistant.turn_start', { turnId: '0' }),
        event('assistant.message', { content: '', toolRequests: [{ toolCallId: 't', name: 'bash' }] }),
        event('tool.execution_complete', { toolCallId: 't' }),
        event('assistant.message', { content: 'I look around' }, { agentId: 'explore-1' }),
        event('assistant.message', { content: 'Fixed.', toolRequests: [] }),
      ].join('\n'),
    );
    expect([read.format, read.conversations[0]?.id, ...toLines(read)]).toEqual([
      'copilot-cli',
      'copilot-cli-4de4',
      '2026-03-02T01:11:45.000Z user: fix the bug',
      '2026-03-02T01:11:45.000Z assistant: Fixed.',
    ]);
    expect(read.leftOut).toMatchObject({ 'line of the program or of a helper': 1, 'call of a tool, or thought': 1 });
  });

  it('of Cursor give the words of a user without what the editor puts around them', () => {
    const line = (role: string, ...content: object[]) => JSON.stringify({ role, message: { content } });
    const text = (words: string) => ({ type: 'text', text: words });
    const read = readAll(
      [
        line('user', text('<timestamp>Monday</timestamp>\n<user_query>\nwhat does <user_query> mean?\n</user_query>')),
        line('assistant', text('A mark.'), { type: 'tool_use', name: 'Read', input: { path: '/a' } }),
        line('assistant', { type: 'tool_use', name: 'Read', input: { path: '/a' } }),
        line('user', text('</user_query> stands alone here')),
      ].join('\n'),
    );
    expect([read.format, ...toLines(read)]).toEqual([
      'cursor',
      '- user: what does <user_query> mean?',
      '- assistant: A mark.',
      '- user: </user_query> stands alone here',
    ]);
  });

  it('of Visual Studio Code join the words of an answer, without what has a kind', () => {
    const requests = [
      {
        message: { text: 'fix it', parts: [] },
        timestamp: 1709629200000,
        response: [
          { kind: 'thinking', value: 'hm' },
          { value: 'I ' },
          { kind: 'toolInvocationSerialized' },
          { value: 'did.' },
        ],
      },
      { message: { text: 'thanks' }, timestamp: 1709629260000, response: [] },
    ];
    const read = readAll(JSON.stringify({ requesterUsername: 'ann', responderUsername: 'GitHub Copilot', requests }));
    expect([read.format, ...toLines(read)]).toEqual([
      'vscode-chat',
      '2024-03-05T09:00:00.000Z user: fix it',
      '2024-03-05T09:00:00.000Z assistant: I did.',
      '2024-03-05T09:01:00.000Z user: thanks',
    ]);
  });
});

it('LongMemEval has a conversation a question, in the order of its days, without the question', () => {
  const turn = (role: string, content: string) => ({ role, content });
  const entry = {
    question_id: 'q1',
    question: 'what?',
    answer: 'tea',
    haystack_dates: ['2023/05/21 (Sun) 02:21', '2023/05/20 (Sat) 23:40'],
    haystack_sessions: [[turn('user', 'later')], [turn('user', 'I like tea'), turn('assistant', 'ok')]],
  };
  const read = readAll(JSON.stringify([entry]));
  expect([read.format, read.conversations[0]?.id, ...toLines(read)]).toEqual([
    'longmemeval',
    'longmemeval-q1',
    '2023-05-20T23:40:00Z user: I like tea',
    '2023-05-20T23:40:00Z assistant: ok',
    '2023-05-21T02:21:00Z user: later',
  ]);
});
