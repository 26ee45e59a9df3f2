import { Readable } from 'node:stream';
import { ContextloomError } from '@contextloom/contracts';
import { describe, expect, it } from '@jest/globals';
import { type BatchOptions, parseBatchOptions } from '../src/batch/options.ts';
import type { BatchReport } from '../src/batch/report.ts';
import { isSuccess, toConversationLine, toJsonReport, toSummary } from '../src/batch/report.ts';
import { type BatchDeps, type BatchRequest, runBatch } from '../src/batch/run-batch.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import { createKeptMemories } from './support/memory-stores.ts';

const files: Readonly<Record<string, string>> = {
  'chat.txt': 'Anna: I moved to Lyon.\nBen: 恭喜！',
  'lines.jsonl':
    '{"role":"user","content":"I moved to Lyon."}\n{"role":"user",\n{"role":"user","content":"And I like it."}',
  'broken.json': '{"turns":[\n{"role":"user",}]}',
  'two.json': '[{"id":"c-1","turns":[{"text":"a"}]},{"id":"c-2","turns":[{"text":"b"}]}]',
};

const request: BatchRequest = {
  files: [],
  userId: 'anna',
  transcriptId: undefined,
  date: undefined,
  forceSave: false,
  retryFailed: false,
  dryRun: false,
};

async function run(
  given: Partial<BatchRequest>,
  memories = createKeptMemories(),
  signal = new AbortController().signal,
) {
  const told: string[] = [];
  const deps: BatchDeps = {
    processor: createMemoryProcessor({ memories }),
    open: async (file) => {
      const text = files[file];
      if (text === undefined) throw new ContextloomError('not_found', 'there is no such file');
      const bytes = Buffer.from(text);
      const entry = { path: file, size: bytes.length, open: async () => Readable.from([bytes]) };
      return { name: file, entries: [entry], refused: [], close: async () => undefined };
    },
    signal,
    now: () => 0,
    onProgress: () => undefined,
    onConversation: ({ transcript, user_id }) => told.push(`${transcript} of ${user_id}`),
    onFailure: (file, error) => told.push(`${file}: ${error}`),
  };
  return { report: await runBatch({ ...request, ...given }, deps), told, memories };
}

describe('a batch', () => {
  it('names a bad file among many and goes on with the rest', async () => {
    const { report, told } = await run({ files: ['broken.json', 'missing.txt', 'chat.txt'] });
    expect(report.failed.map(({ file }) => file)).toEqual(['broken.json', 'missing.txt']);
    expect(report.failed[0]?.error).toContain('line 2: expected a key in double quotes');
    expect(report.failed[1]?.error).toBe('there is no such file');
    expect(report.conversations).toMatchObject([{ file: 'chat.txt', user_id: 'anna', windows: 1, saved: 1, known: 0 }]);
    expect(told).toHaveLength(3);
  });

  it('names a bad line and keeps the rest of its file', async () => {
    const { report } = await run({ files: ['lines.jsonl'] });
    expect(report.failed).toEqual([
      { file: 'lines.jsonl', error: expect.stringMatching(/^line 2: it is not JSON: expected/u) },
    ]);
    expect(report.conversations).toMatchObject([{ file: 'lines.jsonl', saved: 1 }]);
  });

  it('takes the user from each conversation when asked to', async () => {
    const { told, memories } = await run({ files: ['two.json'], userId: undefined });
    expect(told).toEqual(['c-1 of c-1', 'c-2 of c-2']);
    expect([...memories.documents.values()].map(({ metadata }) => metadata['user_id'])).toEqual(['c-1', 'c-2']);
  });

  it('saves nothing of a file with a conversation whose user is not known', async () => {
    const { report, memories } = await run({ files: ['chat.txt'], userId: undefined });
    expect(report.failed[0]?.error).toContain('name the user with --user');
    expect(memories.documents.size).toBe(0);
  });

  it('counts what was known when it is run again', async () => {
    const memories = createKeptMemories();
    await run({ files: ['two.json', 'chat.txt'] }, memories);
    const { report } = await run({ files: ['two.json', 'chat.txt'] }, memories);
    expect(report.conversations.map(({ saved, known }) => [saved, known])).toEqual([
      [0, 1],
      [0, 1],
      [0, 1],
    ]);
    expect(memories.documents.size).toBe(3);
  });

  it('gives a name to one conversation only', async () => {
    const { report, told } = await run({ files: ['two.json', 'chat.txt'], transcriptId: 'diary' });
    expect(report.failed[0]?.error).toContain('holds 2 conversations, and --transcript-id names one');
    expect(told.at(-1)).toBe('diary of anna');
  });

  it('says that the knowledge base did not take a conversation, not that its file is bad, and goes on', async () => {
    const memories = createKeptMemories();
    const choosy = {
      ...memories,
      save: async (documents: Parameters<typeof memories.save>[0]) => {
        if (documents.some(({ metadata }) => metadata['transcript'] === 'c-1'))
          throw new ContextloomError('invalid', 'documents[0].tags is too long');
        return memories.save(documents);
      },
    };
    const { report } = await run({ files: ['two.json', 'chat.txt'] }, choosy);
    expect(report.failed).toEqual([
      { file: 'two.json', error: 'c-1 was not taken by the knowledge base: documents[0].tags is too long' },
    ]);
    expect(report.conversations).toHaveLength(2);
  });

  it('refuses a conversation whose id is no user, before anything is saved', async () => {
    const { report, memories } = await run({ files: ['two.json'], userId: ' ' });
    expect(report.failed).toEqual([{ file: 'two.json', error: expect.stringMatching(/^user_id must/) }]);
    expect(memories.documents.size).toBe(0);
  });

  it('ends with the error of a knowledge base that is gone', async () => {
    await expect(run({ files: ['chat.txt'] }, createKeptMemories({ failAfter: 0 }))).rejects.toBeInstanceOf(
      ContextloomError,
    );
  });

  it('that is interrupted says so, even when the knowledge base went with it', async () => {
    const stop = new AbortController();
    const memories = createKeptMemories();
    const leaving = {
      ...memories,
      save: async () => {
        stop.abort();
        throw new ContextloomError('unavailable', 'the knowledge base went away');
      },
    };
    const { report } = await run({ files: ['chat.txt', 'two.json'] }, leaving, stop.signal);
    expect(report).toMatchObject({ isStopped: true, conversations: [], failed: [] });
  });
});

describe('the report', () => {
  const report: BatchReport = {
    extractor: { kind: 'rules', name: 'rules' },
    conversations: [
      {
        file: 'a/chat.txt',
        transcript: 't',
        user_id: 'anna',
        windows: 3,
        saved: 1,
        known: 2,
        not_saved: {},
        failures: [],
        unread: 0,
        usage: { calls: 0, input_tokens: 0, output_tokens: 0 },
      },
    ],
    failed: [],
    isStopped: false,
    isDryRun: false,
    usage: { calls: 0, input_tokens: 0, output_tokens: 0 },
    priceBasis: 'no model is asked',
    seconds: 1.2,
  };

  it('says for a reader what was saved, and who rated it', () => {
    expect(report.conversations.map(toConversationLine)).toEqual([
      'chat.txt t: 3 pieces, 1 saved, 2 known before (user anna)',
    ]);
    expect(toSummary(report)).toBe(
      '1 conversation, 3 pieces, 1 memory saved, 2 known before; 1.2 s; rated by written rules.',
    );
  });

  it('says what a model cost, and what was left out, by reason', () => {
    const usage = { calls: 12, input_tokens: 34_000, output_tokens: 1_560, price_usd: 0.0161 };
    const [one] = report.conversations;
    const byModel: BatchReport = {
      ...report,
      extractor: { kind: 'model', name: 'small' },
      conversations:
        one === undefined
          ? []
          : [
              {
                ...one,
                not_saved: { 'importance below 3': 4, 'number not in the evidence': 9 },
                failures: [{ source: 't 1-6', reason: 'the answer was empty' }],
              },
            ],
      usage,
      priceBasis: 'by list prices',
    };
    expect(toSummary(byModel).split('\n')).toEqual([
      '1 conversation, 3 pieces, 1 memory saved, 2 known before; 1.2 s; rated by the model small.',
      'Not saved:',
      '  9 × number not in the evidence',
      '  4 × importance below 3',
      'No facts could be drawn from 1 piece; what was said in them is saved:',
      '  t 1-6: the answer was empty',
      'It took 12 calls, 34,000 tokens in, 1,560 out, $0.0161 (by list prices).',
    ]);
    expect(toSummary({ ...byModel, isDryRun: true })).toContain('It would take 12 calls');
    const [told] = byModel.conversations;
    const unread = { ...byModel, conversations: told === undefined ? [] : [{ ...told, unread: 3 }] };
    expect(toSummary(unread)).toContain('again has the model read 3 pieces that it could not be asked for.');
    expect(isSuccess(unread)).toBe(false);
    expect(toSummary({ ...byModel, isDryRun: true })).toContain('nothing sent or saved');
  });

  it('says how to go on after a stop', () => {
    expect(
      toSummary({ ...report, isStopped: true, failed: [{ file: 'x', error: 'y' }] })
        .split('\n')
        .slice(1),
    ).toEqual([
      '1 file could not be read.',
      'Stopped before the end. Run the same command again to go on: nothing is saved twice.',
    ]);
  });

  it('says the same to a program', () => {
    expect(JSON.parse(toJsonReport({ ...report, isStopped: true }))).toMatchObject({
      success: false,
      stopped: true,
      seconds: 1.2,
    });
    expect(JSON.parse(toJsonReport(report))).toMatchObject({ success: true, extractor: { name: 'rules' } });
  });
});

describe('the command line', () => {
  function parse(...words: string[]): { parsed: BatchOptions | number; said: string } {
    let said = '';
    const write = (text: string): void => {
      said += text;
    };
    const parsed = parseBatchOptions(['node', 'batch.js', ...words], '1.2.3', { writeOut: write, writeErr: write });
    return { parsed, said };
  }

  it('names files, the user, and further wishes', () => {
    expect(
      parse('a.txt', 'b.json', '--user', 'anna', '--date', '2024-03-05', '--json', '--config', 'c.json').parsed,
    ).toEqual({
      request: {
        files: ['a.txt', 'b.json'],
        userId: 'anna',
        forceSave: false,
        retryFailed: false,
        reread: false,
        dryRun: false,
        transcriptId: undefined,
        date: '2024-03-05',
      },
      budget: {},
      config: 'c.json',
      json: true,
    });
    expect(
      parse('a.txt', '--user', 'anna', '--max-tokens', '5000', '--max-cost', '0.5', '--reread').parsed,
    ).toMatchObject({
      request: { reread: true },
      budget: { maxTokens: 5_000, maxCost: 0.5 },
    });
    expect(parse('a.txt', '--user-from-transcript').parsed).toMatchObject({
      request: { userId: undefined },
      json: false,
    });
  });

  it.each([
    [['a.txt'], 'give either --user <id> or --user-from-transcript'],
    [['a.txt', '--user', 'anna', '--user-from-transcript'], 'give either'],
    [['a.txt', '--user', 'anna', '--max-tokens', 'many'], '--max-tokens must be a whole number above 0'],
    [['a.txt', '--user', 'anna', '--max-cost', '-1'], '--max-cost must be a number of US dollars above 0'],
    [['--user', 'anna'], 'missing required argument'],
    [['a.txt', '--user'], 'argument missing'],
    [['a.txt', '--user', 'anna', '--date', 'soon'], '--date must be a date'],
    [['a.txt', '--nonsense'], 'unknown option'],
  ])('%j is wrong usage, said in words', (words, problem) => {
    const { parsed, said } = parse(...words);
    expect([parsed, said]).toEqual([2, expect.stringContaining(problem)]);
  });

  it('has help with examples, and a version', () => {
    expect(parse('--help')).toEqual({ parsed: 0, said: expect.stringContaining('--user-from-transcript\n') });
    expect(parse('--version')).toEqual({ parsed: 0, said: '1.2.3\n' });
  });
});
