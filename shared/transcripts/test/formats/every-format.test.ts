import { describe, expect, it } from '@jest/globals';
import { readers } from '../../src/formats/index.ts';
import { readDamaged, toTurns, toWords } from '../support/damaged.ts';
import { FORMAT_SAMPLES } from '../support/format-samples.ts';
import { readAll } from '../support/reading.ts';

const FIRST = 'hello tea';
const SECOND = 'hello cake';

const each = describe.each(FORMAT_SAMPLES.map((sample) => [sample.format, sample] as const));

it('has a sample of every format', () => {
  expect(FORMAT_SAMPLES.map(({ format }) => format).sort()).toEqual(readers.map(({ name }) => name).sort());
});

each('%s', (format, sample) => {
  const { text, file } = sample;
  const whole = readAll(text, { ...(file !== undefined && { file }) });

  it('is found by its marks, and gives what was said in order, with any line ends, a byte order mark, and in any pieces', () => {
    expect(whole.format).toBe(format);
    const said = toWords(whole).map((words) => (words.includes(FIRST) ? FIRST : words.includes(SECOND) ? SECOND : ''));
    expect(said.slice(0, 2)).toEqual([FIRST, SECOND]);
    expect(whole.faults).toEqual([]);
    for (const other of [text.replaceAll('\n', '\r\n'), `\uFEFF${text}`]) {
      const read = readAll(other, { ...(file !== undefined && { file }), pieces: [1, 5, 3] });
      expect(toTurns(read)).toEqual(toTurns(whole));
    }
  });

  it('cut anywhere, gives nothing that was not said', () => {
    const steps = 24;
    const known = `${text}\n${toWords(whole).join('\n')}`;
    for (let step = 1; step < steps; step += 1) {
      const read = readDamaged(text.slice(0, Math.floor((step * text.length) / steps)), sample);
      if (typeof read === 'string') continue;
      // What is left may be read in another form, but its words stand in the whole.
      for (const words of toWords(read)) for (const line of words.split('\n')) expect(known).toContain(line);
    }
  });
});

/** Formats of a list or of lines, with an entry among others that cannot be read. */
const BROKEN: Readonly<Record<string, string>> = {
  jsonl: '{"speaker":"Ann","text":"a"}\n{"speaker":"Ann",\n{"speaker":"Ben","text":"b"}',
  openai: '{"messages":[{"role":"user","content":"a"}]}\n{"x":1}\n{"messages":[{"role":"user","content":"b"}]}',
  'claude-code':
    '{"type":"user","uuid":"1","message":{"content":"a"}}\n{"type":"user","uuid":"2","message":{}}\n{"type":"user","uuid":"3","message":{"content":"b"}}',
  sillytavern:
    '{"name":"Ann","is_user":true,"mes":"a"}\n{"name":"Ann","is_user":true}\n{"name":"Ben","is_user":false,"mes":"b"}',
  telegram:
    '{"id":1,"name":"T","messages":[{"id":1,"type":"message","from_id":"u","text":"a"},{"id":2},{"id":3,"type":"message","from_id":"u","text":"b"}]}',
  slack: '[{"type":"message","ts":"1.1","text":"a"},{"type":"message"},{"type":"message","ts":"2.1","text":"b"}]',
  whatsapp: '25/03/2024, 09:00 - Ann: a\n99/99/2024, 09:01 - Ann: x\n26/03/2024, 09:02 - Ben: b',
  wechat: '2024-03-05 09:00:00 Ann\na\n\n2024-13-45 09:01:00 Ann\nx\n\n2024-03-05 09:02:00 Ben\nb',
  'wechat-csv': '时间,发送人,消息内容\n2024-03-05 09:00:00,Ann,a\nnever,Ann,x\n2024-03-05 09:02:00,Ben,b',
  'wechat-json':
    '[{"talker":"t","sender":"a","isSelf":false,"type":1,"content":"a"},5,{"talker":"t","sender":"b","isSelf":false,"type":1,"content":"b"}]',
  mem0: '[{"id":"1","memory":"a"},{"id":"2"},{"id":"3","memory":"b"}]',
  'memory-graph':
    '{"type":"entity","name":"a","observations":["a"]}\n{"type":"relation","from":"a"}\n{"type":"entity","name":"b","observations":["b"]}',
};

describe.each(Object.entries(BROKEN))('an entry of %s that cannot be read', (format, text) => {
  it('is named with its place and a reason, and the rest goes on', () => {
    const read = readAll(text);
    expect(read.format).toBe(format);
    expect(toWords(read).map((words) => words.at(-1))).toEqual(['a', 'b']);
    expect(read.faults).toEqual([expect.stringMatching(/^(?:line|message|entry|memory|relation) \d+: .{6,}/u)]);
  });
});
