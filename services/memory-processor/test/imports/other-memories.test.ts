import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openDatabase } from '@contextloom/sqlite';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { strToU8, zipSync } from 'fflate';
import { readAll, toLines } from '../../../../shared/transcripts/test/support/reading.ts';
import { readPath, toTurns } from '../support/importing.ts';
import { createFolder } from '../support/knowledge-base.ts';

let folder = '';
let remove = async (): Promise<void> => undefined;
beforeAll(async () => {
  ({ path: folder, remove } = await createFolder());
});
afterAll(() => remove());

describe('a database of claude-mem', () => {
  it('gives prompts in the words of the user, observations and summaries as those of the program', async () => {
    const file = join(folder, 'claude-mem.db');
    const database = openDatabase({
      file,
      migrations: [
        `CREATE TABLE user_prompts (id INTEGER PRIMARY KEY, content_session_id TEXT, prompt_number INTEGER, prompt_text TEXT, created_at TEXT);
         CREATE TABLE observations (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, text TEXT, type TEXT, title TEXT, narrative TEXT, facts TEXT, created_at TEXT, vector BLOB);
         CREATE TABLE session_summaries (id INTEGER PRIMARY KEY, memory_session_id TEXT, project TEXT, request TEXT, learned TEXT, created_at TEXT);
         INSERT INTO user_prompts VALUES (1, 's-1', 1, 'Use port 8080.', '2025-06-01T10:00:00.000Z');
         INSERT INTO observations VALUES (1, 'm', 'loom', NULL, 'decision', 'Port', 'The port is 8080.', '["It was 80.","It is 8080."]', '2025-06-01T10:01:00.000Z', x'00ff');
         INSERT INTO session_summaries VALUES (1, 'm', 'loom', 'Change the port', 'Ports are set in one file.', '2025-06-01T10:02:00.000Z');`,
      ],
    });
    database.close();
    const { found, preview } = await readPath(file);
    expect(preview).toMatchObject({
      formats: ['memories of claude-mem or MIRIX (database)'],
      conversations: 3,
      fault_count: 0,
    });
    expect(preview.from).toBe('2025-06-01T10:00:00.000Z');
    expect(toTurns(found)).toEqual([
      'user: Use port 8080.',
      'claude-mem: Port\nThe port is 8080.\nIt was 80.\nIt is 8080.',
      'claude-mem: Change the port\nPorts are set in one file.',
    ]);
  });

  it('of nobody known is refused in a sentence', async () => {
    const file = join(folder, 'other.db');
    openDatabase({ file, migrations: ['CREATE TABLE things (id INTEGER PRIMARY KEY)'] }).close();
    expect((await readPath(file)).preview).toMatchObject({
      turns: 0,
      faults: [{ reason: 'it is a database without tables of a program whose memories are read' }],
    });
  });
});

describe('other memories', () => {
  it('of OpenMemory come in its backup, without those that were deleted', async () => {
    const backup = {
      user: { id: 'u', user_id: 'ann' },
      memories: [
        { id: '1', content: 'Likes oolong', state: 'active', created_at: 1709629200, metadata: {} },
        { id: '2', content: 'Likes coffee', state: 'deleted', created_at: 1709629200 },
      ],
      apps: [],
      categories: [],
    };
    const file = join(folder, 'openmemory.zip');
    await writeFile(file, zipSync({ 'memories.json': strToU8(JSON.stringify(backup)) }));
    const { found, preview } = await readPath(file);
    expect(toTurns(found)).toEqual(['mem0: Likes oolong']);
    expect(preview).toMatchObject({ from: '2024-03-05T09:00:00.000Z', left_out: { 'deleted message': 1 } });
  });

  it('of basic-memory are notes, each under its title, with observations and relations', async () => {
    const own = join(folder, 'basic-memory');
    await mkdir(join(own, 'tea'), { recursive: true });
    await writeFile(
      join(own, 'tea', 'Brewing.md'),
      '---\ntitle: Brewing\ntype: note\ntags: [tea]\npermalink: tea/brewing\n---\n# Brewing\n\n## Observations\n- [method] Green tea at 80 degrees #tea\n\n## Relations\n- requires [[Kettle]]\n',
    );
    const { found, preview } = await readPath(own);
    expect(toTurns(found)).toEqual([
      'user: # Brewing\n\n## Observations\n- [method] Green tea at 80 degrees #tea\n\n## Relations\n- requires [[Kettle]]',
    ]);
    expect(preview.faults).toEqual([]);
  });

  it('of the memory server are entities with what is known of them, and their relations in words', () => {
    const graph = {
      entities: [{ name: 'Ann', entityType: 'person', observations: ['lives in Lyon', 'is a nurse'] }],
      relations: [{ from: 'Ann', to: 'Ben', relationType: 'sister_of' }],
    };
    const told = ['- memory graph: Ann (person): lives in Lyon; is a nurse', '- memory graph: Ann sister of Ben'];
    expect(toLines(readAll(JSON.stringify(graph)))).toEqual(told);
    const lines = [
      ...graph.entities.map((one) => ({ type: 'entity', ...one })),
      { type: 'relation', ...graph.relations[0] },
    ];
    expect(toLines(readAll(lines.map((one) => JSON.stringify(one)).join('\n')))).toEqual(told);
  });

  it('of Letta are memory blocks and what was said, in the older and the newer form of its file', () => {
    const sent = { function: { name: 'send_message', arguments: '{"message": "Noted!"}' } };
    const messages = [
      { role: 'system', content: [{ type: 'text', text: 'You are…' }] },
      { role: 'user', content: [{ type: 'text', text: '{"type": "login", "time": "x"}' }] },
      {
        role: 'user',
        content: [{ type: 'text', text: '{"type": "user_message", "message": "I like tea"}' }],
        created_at: '2025-04-01T08:00:00+00:00',
      },
      {
        role: 'assistant',
        content: [{ type: 'text', text: 'I should note it.' }],
        tool_calls: [sent],
        created_at: '2025-04-01T08:00:05Z',
      },
      { role: 'tool', content: [{ type: 'text', text: '{"status": "OK"}' }] },
    ];
    const block = { id: 'b1', label: 'human', value: 'Name: Ann' };
    const told = [
      '- memory block human: Name: Ann',
      '2025-04-01T08:00:00.000Z user: I like tea',
      '2025-04-01T08:00:05.000Z assistant: Noted!',
    ];
    const older = { agent_type: 'memgpt_agent', name: 'Sam', core_memory: [block], messages };
    expect(toLines(readAll(JSON.stringify(older), { file: 'sam.af' }))).toEqual(told);
    const newer = {
      agents: [{ name: 'Sam', agent_type: 'letta_v1', block_ids: ['b1'], messages }],
      blocks: [block, { id: 'b2', value: 'no' }],
    };
    expect(toLines(readAll(JSON.stringify(newer)))).toEqual(told);
  });
});
