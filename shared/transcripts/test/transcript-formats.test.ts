import { describe, expect, it } from '@jest/globals';
import { parseTranscript } from '../src/formats/text/transcript-text.ts';
import { readOne, toScript } from './support/conversations.ts';

describe('Name: words lines', () => {
  it('are turns, with either colon, and other lines go on with the turn above', () => {
    const text = 'Anna: hi\nBen： 你好\n  second line\n\nhttps://example.org: a link\n小明: 早';
    expect(toScript(readOne(text))).toEqual([
      ['Anna: hi', 'Ben: 你好\n  second line\n\nhttps://example.org: a link', '小明: 早'],
    ]);
  });

  it('may carry stamps and stand under dates, and a new day is a new session', () => {
    const text = [
      '# 2024-03-05',
      '[19:20] Anna: hi',
      '2024年3月6日 星期三',
      'Ben: morning',
      '[2024-03-07 08:30]',
      'Anna: 早',
      '2024-03-07 09:00 Ben: 早上好',
      '--- 8 May 2024 ---',
      '（10:15）Anna: bye',
    ].join('\n');
    const { sessions } = readOne(text);
    expect(sessions.map(({ label, date, turns }) => [label, date, turns.length])).toEqual([
      ['2024-03-05', '2024-03-05T19:20:00Z', 1],
      ['2024-03-06', '2024-03-06', 1],
      ['2024-03-07', '2024-03-07T08:30:00Z', 2],
      ['2024-05-08', '2024-05-08T10:15:00Z', 1],
    ]);
    expect(sessions[2]?.turns[1]?.at).toBe('2024-03-07T09:00:00Z');
  });

  it.each([
    ['他说：“我明天来。”'],
    ['注意：下雨'],
    ['Note: bring an umbrella'],
    ['My shopping list for tomorrow: milk'],
    ['10:30: the train leaves'],
    ['Well, listen: no'],
  ])('are not begun by %p', (line) => {
    expect(toScript(readOne(`Anna: hi\n${line}`))).toEqual([[`Anna: hi\n${line}`]]);
  });

  it('without any name are one turn of the user', () => {
    expect(toScript(readOne('Dear diary.\nToday I moved to Lyon.'))).toEqual([
      ['user: Dear diary.\nToday I moved to Lyon.'],
    ]);
  });

  it('before the first name are the user’s, so that nothing is lost', () => {
    expect(toScript(readOne('about the trip\nAnna: hi'))).toEqual([['user: about the trip', 'Anna: hi']]);
  });

  it('may begin with a bracket and are still no JSON', () => {
    expect(toScript(readOne('[2024-03-05 19:20] Anna: hi'))).toEqual([['Anna: hi']]);
    expect(toScript(readOne('**Anna:** hi\n**AI**: hello'))).toEqual([['Anna: hi', 'AI: hello']]);
  });
});

describe('our JSON', () => {
  it('is an object with turns, or a bare list, under either name of each key', () => {
    const turns =
      '[{"role":"user","content":"hi"},{"speaker":"Mia","role":"assistant","text":"hello","timestamp":null}]';
    for (const text of [
      turns,
      `{"turns":${turns}}`,
      `{"conversation_id":7,"messages":${turns}}`,
      `[{"turns":${turns}}]`,
    ]) {
      expect(toScript(readOne(text))).toEqual([['user: hi', 'Mia: hello']]);
    }
    expect(readOne(`{"conversation_id":7,"turns":${turns}}`).id).toBe('7');
    expect(readOne(turns).sessions[0]?.turns.map(({ voice }) => voice)).toEqual(['person', 'assistant']);
  });

  it('makes a session of each day of a list of turns, and inherits the day before it', () => {
    const text = `[{"text":"a","timestamp":"2024-03-05T23:50:00+08:00"},{"text":"b"},{"text":"c","timestamp":1709740800}]`;
    expect(readOne(text).sessions.map(({ label, turns }) => [label, turns.length])).toEqual([
      ['2024-03-05', 2],
      ['2024-03-06', 1],
    ]);
  });

  it('may name its sessions, and a time of day belongs to the session’s day', () => {
    const text =
      '{"sessions":[{"date":"2024年3月5日","turns":[{"text":"a","timestamp":"7:20 pm"}]},{"id":"x","turns":[{"text":"b"}]},{"id":"x","turns":[{"text":"c"}]}]}';
    const { sessions } = readOne(text);
    expect(sessions.map(({ label }) => label)).toEqual(['1', 'x', 'x (2)']);
    expect(sessions[0]?.turns[0]?.at).toBe('2024-03-05T19:20:00Z');
  });

  it('takes the date of the call where it has none of its own', () => {
    expect(readOne('[{"text":"a"}]', '2024-03-05').sessions[0]?.date).toBe('2024-03-05');
  });

  it('has lone surrogates replaced and outer blanks cut', () => {
    expect(toScript(readOne('[{"speaker":" A\\nB ","text":" x\\ud800 "}]'))).toEqual([['A B: x\uFFFD']]);
  });
});

describe('content parts', () => {
  const image = 'data:image/png;base64,AAAA';
  it.each([
    [
      'of OpenAI',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Who is she?' },
            { type: 'image_url', image_url: { url: image } },
          ],
        },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function', function: { name: 'f' } }] },
        { role: 'tool', tool_call_id: 'c1', content: [{ type: 'text', text: '{"name":"Mia"}' }] },
        { role: 'assistant', content: [{ type: 'output_text', text: 'Mia.', annotations: [] }] },
      ],
    ],
    [
      'of Anthropic',
      [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'Who is she?' },
            { type: 'image', source: { type: 'base64', data: '' } },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'hm' },
            { type: 'tool_use', id: 'c1', name: 'f', input: {} },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 'c1', content: [{ type: 'text', text: 'Mia' }] }],
        },
        { role: 'assistant', content: [{ type: 'text', text: 'Mia.', cache_control: null }] },
      ],
    ],
    [
      'of the AI SDK',
      [
        {
          id: 'm1',
          role: 'user',
          parts: [
            { type: 'text', text: 'Who is she?' },
            { type: 'file', mediaType: 'image/png', url: image },
          ],
        },
        {
          id: 'm2',
          role: 'assistant',
          parts: [{ type: 'step-start' }, { type: 'tool-f', toolCallId: 'c1', output: 'Mia' }],
        },
        {
          id: 'm3',
          role: 'assistant',
          parts: [
            { type: 'reasoning', text: 'hm' },
            { type: 'text', text: 'Mia.' },
          ],
        },
      ],
    ],
    [
      'of Gemini',
      [
        { role: 'user', parts: [{ text: 'Who is she?' }, { text: '[image]' }] },
        { role: 'model', parts: [{ text: 'Mia.' }] },
      ],
    ],
  ])('%s are read as text, images noted, calls of tools left out', (_name, messages) => {
    const { sessions } = readOne(JSON.stringify({ messages }));
    const said = sessions.flatMap(({ turns }) => turns.filter(({ voice, text }) => voice !== 'system' && text !== ''));
    expect(said.map(({ voice, text }) => [voice, text])).toEqual([
      ['person', 'Who is she?\n[image]'],
      ['assistant', 'Mia.'],
    ]);
  });
});

describe('JSONL', () => {
  it('is a turn a line, grouped by conversation and session', () => {
    const lines = [
      '{"conversation_id":"c1","role":"user","content":"a"}',
      '{"conversation_id":"c2","role":"user","content":"b","session":2}',
      '',
      '{"conversation_id":"c1","role":"user","content":"c","date":"2024-03-05"}',
      '{"conversation_id":"c2","role":"user","content":"d"}',
    ];
    const found = parseTranscript(lines.join('\r\n'));
    expect(found.map(({ id }) => id)).toEqual(['c1', 'c2']);
    expect(found.map(toScript)).toEqual([[['user: a'], ['user: c']], [['user: b', 'user: d']]]);
    expect(found[1]?.sessions[0]?.label).toBe('2');
  });

  it('may be a conversation a line', () => {
    const found = parseTranscript(
      '{"id":"a","messages":[{"role":"user","content":"x"}]}\n{"id":"b","messages":[{"role":"user","content":"y"}]}',
    );
    expect(found.map(({ id }) => id)).toEqual(['a', 'b']);
  });
});

describe('LoCoMo JSON', () => {
  const conversation = {
    speaker_a: 'Ann',
    speaker_b: 'Bo',
    session_10: [{ speaker: 'Bo', dia_id: 'D10:1', text: 'later' }],
    session_10_date_time: '12:05 am on 3 June, 2023',
    session_2: [{ speaker: 'Ann', dia_id: 'D2:1', text: 'Look!', blip_caption: 'a photo of a cat' }],
    session_2_date_time: '1:56 pm on 8 May, 2023',
    session_11_date_time: '1:00 pm on 9 June, 2023',
  };

  it('goes by the lists of turns in order of their numbers, with captions after the words', () => {
    for (const value of [
      conversation,
      { sample_id: 'c-1', conversation },
      [{ sample_id: 'c-1', conversation, qa: [] }],
    ]) {
      const { sessions } = readOne(JSON.stringify(value));
      expect(sessions.map(({ label, date }) => [label, date])).toEqual([
        ['session_2', '2023-05-08T13:56:00Z'],
        ['session_10', '2023-06-03T00:05:00Z'],
      ]);
      expect(sessions[0]?.turns[0]).toMatchObject({
        id: 'D2:1',
        speaker: 'Ann',
        text: 'Look! [photo: a photo of a cat]',
      });
    }
  });

  it('holds several conversations, each under its sample_id', () => {
    const samples = ['c-1', 'c-2'].map((sample_id) => ({ sample_id, conversation }));
    expect(parseTranscript(JSON.stringify(samples)).map(({ id }) => id)).toEqual(['c-1', 'c-2']);
  });
});

describe('a text that cannot be read', () => {
  it.each([
    ['', 'nothing is said in it'],
    ['  \n\n', 'nothing is said in it'],
    ['[]', 'nothing is said in it'],
    ['a\0b', 'line 1 holds a NUL character'],
    ['{}', 'none of the keys "turns", "messages", "sessions" and "conversation"'],
    ['["a"]', 'turns[0] must be'],
    ['{"turns":[\n{"role":"user",}]}', 'line 2: expected a key in double quotes'],
    ['\uFEFF{"turns":[\n{"role":"user",}]}', 'line 2: expected a key in double quotes'],
    ['{"turns":[{"role":"user"', 'line 1: expected the closing bracket'],
    [`{"turns":${'['.repeat(100_000)}`, 'it begins like JSON but is not: its brackets nest too deeply'],
    [
      '{"role":"user","content":"a"}\n{"role":"user" "content":"b"}',
      'line 2 is not JSON: expected "," or the closing bracket',
    ],
    ['{"role":"user","content":"a"}\n{"role":"user","content":5}', 'line 2: content must be'],
    ['{"role":"user","content":"a"}\n[1]', 'line 2 is not a JSON object'],
    ['{"turns":[{"role":"user"}]}', 'turns[0] has neither "content" nor "text"'],
    ['{"turns":[{"content":"a","timestamp":"last week"}]}', 'turns[0].timestamp must be a date'],
    ['{"sessions":[{"date":"soon","turns":[]}]}', 'sessions[0].date must be a date'],
    ['{"turns":7}', 'turns must be a list of turns'],
    ['{"session_1":[{"text":"a"}]}', 'session_1[0].speaker is required'],
  ])('%p is an error that says what is wrong where', (text, problem) => {
    const reading = (): unknown => parseTranscript(text);
    expect(reading).toThrow(expect.objectContaining({ code: 'invalid' }));
    expect(reading).toThrow(problem);
    expect(reading).toThrow('Conversations are read as "Name: words" lines');
  });
});
