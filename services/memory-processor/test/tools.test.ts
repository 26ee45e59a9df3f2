import { processTranscriptResponseSchema } from '@contextloom/contracts';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory, connectOverFetch, findUnfitSchemas, type TestClient } from '@contextloom/testing';
import { afterEach, describe, expect, it } from '@jest/globals';
import { createMemoryProcessorServer } from '../src/build-server.ts';
import { createMemoryProcessor } from '../src/create-memory-processor.ts';
import type { Extractor } from '../src/domain/extractor.ts';
import { createKeptMemories } from './support/memory-stores.ts';
import { createScriptedExtractor, toFact } from './support/scripted-extractor.ts';

let client: TestClient | undefined;
afterEach(async () => {
  await client?.close();
});

async function connect({
  extractor,
  connector = connectInMemory,
}: {
  extractor?: Extractor;
  connector?: typeof connectInMemory;
} = {}) {
  const memories = createKeptMemories();
  const processor = createMemoryProcessor({ memories, ...(extractor !== undefined && { extractor }) });
  client = await connector(createMemoryProcessorServer({ processor, version: '0.0.0', log: silentLog }));
  return { client, memories };
}

const history = [
  { role: 'user', content: 'I am allergic to peanuts.', timestamp: '2024-03-05T19:20:00Z' },
  { speaker: 'assistant', text: 'Noted!', timestamp: null },
];

describe.each([
  ['2025-11-25, in memory', connectInMemory],
  ['2026-07-28, over fetch', (factory: Parameters<typeof connectOverFetch>[0]) => connectOverFetch(factory)],
])('the tools over %s', (_name, connector) => {
  it('are listed with schemas that every client takes, a title and all hints', async () => {
    const { client: connected } = await connect({ connector });
    const { tools } = await connected.listTools();
    expect(tools.map(({ name }) => name)).toEqual([
      'extract_memories',
      'process_transcript',
      'list_facts',
      'list_decisions',
      'undo_decision',
      'extract_project_notes',
      'upload_import',
      'preview_import',
      'start_import',
      'list_imports',
      'undo_import',
      'get_job',
      'list_jobs',
      'retry_job',
      'cancel_job',
      'count_jobs',
      'forget_user',
    ]);
    for (const { name, inputSchema, outputSchema, annotations } of tools) {
      expect(findUnfitSchemas(inputSchema)).toEqual([]);
      expect(findUnfitSchemas(outputSchema)).toEqual([]);
      expect(annotations).toMatchObject({
        title: expect.any(String),
        destructiveHint: ['forget_user', 'undo_import'].includes(name),
      });
      expect(annotations?.openWorldHint).toEqual(expect.any(Boolean));
    }
  });

  it('take several conversations in one text, each under its own name', async () => {
    const { client: connected, memories } = await connect({ connector });
    const one = (id: string, words: string) =>
      JSON.stringify({ conversation_id: id, date: '2024-03-05', turns: [{ speaker: 'Ann', text: words }] });
    const args = {
      user_id: 'anna',
      conversation_history: `[${one('tea', 'I like oolong.')}, ${one('cat', 'My cat is called Momo.')}]`,
    };
    const dry = await connected.callTool('process_transcript', { ...args, dry_run: true });
    expect(dry.structured).toMatchObject({ transcript_ids: ['tea', 'cat'], estimate: { pieces: 2 } });
    const saved = await connected.callTool('process_transcript', args);
    expect(saved.structured).toMatchObject({ transcript_ids: ['tea', 'cat'], memories_saved: 2 });
    expect([...memories.documents.values()].map(({ metadata }) => metadata['transcript'])).toEqual(['tea', 'cat']);
    const again = await connected.callTool('process_transcript', args);
    expect(again.structured).toMatchObject({ memories_saved: 0, memories_known: 2 });
    const named = await connected.callTool('process_transcript', { ...args, transcript_id: 'both' });
    expect(named).toMatchObject({ isError: true });
    expect(JSON.stringify(named)).toContain('holds 2 conversations, and transcript_id names one');
    const extracted = await connected.callTool('extract_memories', { conversation_history: args.conversation_history });
    expect(extracted.structured).toMatchObject({ memories: [{ content: expect.stringContaining('oolong') }, {}] });
  });

  it('take messages in parts, and calls of tools among them', async () => {
    const { client: connected, memories } = await connect({ connector });
    const { isError } = await connected.callTool('process_transcript', {
      user_id: 'anna',
      conversation_history: [
        { role: 'user', content: [{ type: 'text', text: 'Who is she?' }, { type: 'image' }] },
        { role: 'assistant', content: null, tool_calls: [{ id: 'c1', type: 'function' }] },
        { role: 'tool', tool_call_id: 'c1', content: 'a list of names' },
        { role: 'assistant', parts: [{ type: 'text', text: 'Mia.' }] },
      ],
    });
    expect(isError).toBe(false);
    expect([...memories.documents.values()].map(({ content }) => content)).toEqual([
      'user: Who is she?\n  [image]\nassistant: Mia.',
    ]);
  });

  it('save a conversation and answer what was saved, as data and as text', async () => {
    const { client: connected, memories } = await connect({ connector });
    const { isError, structured, text } = await connected.callTool('process_transcript', {
      user_id: 'anna',
      conversation_history: history,
      transcript_id: null,
      force_save: null,
      unknown_argument: 1,
    });
    expect(isError).toBe(false);
    const answer = processTranscriptResponseSchema.parse(structured);
    expect(JSON.parse(text)).toEqual(structured);
    expect(answer).toMatchObject({
      message: 'Saved 1 memory, rated by written rules.',
      extractor: { kind: 'rules', name: 'rules' },
      memories_extracted: 1,
      memories_saved: 1,
      memories_known: 0,
      not_saved: [],
    });
    expect(answer.saved_memories).toMatchObject([
      { importance: 9.1, memory_type: 'episode', tags: ['memory', 'episode', 'health'] },
    ]);
    expect([...memories.documents.keys()]).toEqual(answer.saved_memories.map(({ id }) => id));
  });
});

describe('process_transcript', () => {
  it('says so when everything was known before', async () => {
    const { client: connected } = await connect();
    const args = { user_id: 'anna', conversation_history: history };
    await connected.callTool('process_transcript', args);
    expect((await connected.callTool('process_transcript', args)).structured).toMatchObject({
      message: 'Nothing new. 1 piece of this conversation had been saved before.',
      memories_saved: 0,
      memories_known: 1,
    });
  });

  it('saves a fact of low importance only with force_save', async () => {
    const { client: connected } = await connect({
      extractor: createScriptedExtractor(() => [toFact('Anna said hi.', 1)]),
    });
    const args = { user_id: 'anna', conversation_history: history };
    expect((await connected.callTool('process_transcript', args)).structured).toMatchObject({
      extractor: { kind: 'model', name: 'scripted' },
      memories_extracted: 2,
      memories_saved: 1,
      not_saved: [{ content: 'Anna said hi.', importance: 1, reason: 'importance below 3' }],
    });
    const forced = { ...args, transcript_id: 'forced', force_save: true };
    expect((await connected.callTool('process_transcript', forced)).structured).toMatchObject({
      memories_extracted: 2,
      memories_saved: 2,
      not_saved: [],
    });
  });

  it('tells its progress to a client that asks', async () => {
    const { client: connected } = await connect();
    const told: number[] = [];
    const lines = Array.from({ length: 12 }, (_, index) => `Anna: I saw film ${index}.`).join('\n');
    await connected.client.callTool(
      { name: 'process_transcript', arguments: { user_id: 'anna', conversation_history: lines } },
      { onprogress: ({ progress, total }) => told.push(progress, total ?? 0) },
    );
    expect(told.slice(0, 2)).toEqual([0, 2]);
  });

  it.each([
    [{ conversation_history: 'Anna: hi' }, 'user_id is required'],
    [{ user_id: 'anna' }, 'conversation_history'],
    [{ user_id: 'anna', conversation_history: 7 }, 'conversation_history must be a text or a list of turns'],
    [{ user_id: 'anna', conversation_history: [{ content: 5 }] }, 'conversation_history[0].content'],
    [{ user_id: 'anna', conversation_history: '{"turns":[' }, 'line 1: expected the closing bracket'],
  ])('answers %j with one line that names what is wrong', async (args, problem) => {
    const { isError, text } = await (await connect()).client.callTool('process_transcript', args);
    expect(isError).toBe(true);
    expect(text).toContain(problem);
    expect(text.split('\n')).toHaveLength(1);
  });
});

describe('extract_memories', () => {
  it('shows the memories, names the rules that rated them, and saves nothing', async () => {
    const { client: connected, memories } = await connect();
    const { structured } = await connected.callTool('extract_memories', {
      conversation_history: '小明：我对花生过敏。\n助手：好的！',
      transcript_id: 'lunch',
      conversation_date: '2024-03-05',
    });
    expect(structured).toEqual({
      success: true,
      extractor: { kind: 'rules', name: 'rules' },
      not_saved: [],
      memories: [
        {
          content: '[2024-03-05]\n小明: 我对花生过敏。\n助手: 好的！',
          importance: 9,
          memory_type: 'episode',
          tags: ['memory', 'episode', 'health'],
          occurred_at: '2024-03-05T00:00:00.000Z',
          source: 'lunch 1-2',
        },
      ],
    });
    expect(memories.documents.size).toBe(0);
  });
});
