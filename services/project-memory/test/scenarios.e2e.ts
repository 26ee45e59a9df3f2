import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { createPostgresServer, findPostgres, type PostgresServer } from '@contextloom/testing/postgres-server';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runServer, type StdioMemory, startOverHttp, startOverStdio } from './support/server-process.ts';

const REQUIREMENT =
  '# 上传限制\n\n用户上传的文件不能超过 10 MB，超过时返回 413，并在界面上提示原因。该限制适用于所有用户。';
const DEVELOPMENT =
  '# 上传限制\n\n用户上传的文件不能超过 20 MB，超过时返回 413，并在界面上提示原因。该限制适用于所有用户。';
const DECISION = '# 设计决策\n\n我们使用 pgvector，因为团队已经在用 PostgreSQL，不必再维护一个向量数据库。';

/** What the model says of conflicts; notes are summarised as they are asked for. */
let verdict: Step;
const answerChat = (request: { body: { messages?: readonly { content: unknown }[] } }): Step => {
  const [system] = request.body.messages ?? [];
  if (String(system?.content).includes('stored note')) return verdict;
  return { kind: 'answer', text: '{"summary":"上传文件的大小限制。","tags":["上传","限制","413"]}' };
};

const project = { project_name: 'agent-mem' };
const bin = await findPostgres();

(bin === undefined ? describe.skip : describe)(
  'the workflows of the design on a Postgres server without pgvector',
  () => {
    let server: PostgresServer;
    testWorkflows(async () => {
      server = await createPostgresServer(bin ?? '');
      await server.start();
      return {
        env: { DATABASE_URL: server.url },
        place: 'the Postgres server of DATABASE_URL; vectors are compared exactly',
        close: server.remove,
      };
    });
  },
);

describe('the workflows of the design in a folder', () => {
  testWorkflows(async (folder) => {
    // What a first start that was killed leaves behind.
    await mkdir(join(folder, 'postgres.new'), { recursive: true });
    await writeFile(join(folder, 'postgres.new', 'PG_VERSION'), '18\n');
    return { env: { PROJECT_MEMORY_DATA_DIR: folder }, place: 'opens', close: async () => undefined };
  });
});

/** Where servers keep what they store. */
interface Place {
  readonly env: Readonly<Record<string, string>>;
  /** What a check tells of it. */
  readonly place: string;
  readonly close: () => Promise<void>;
}

function testWorkflows(open: (folder: string) => Promise<Place>): void {
  let folder: string;
  let model: ScriptedOpenAi;
  let env: Record<string, string>;
  let stdio: StdioMemory;
  let kept: Place;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'project-memory-'));
    verdict = { kind: 'answer', text: '{"action":"REPLACE"}' };
    kept = await open(join(folder, 'data'));
    model = await startScriptedOpenAi({ chat: answerChat });
    env = {
      ...kept.env,
      LLM_BASE_URL: model.url,
      LLM_API_KEY: model.apiKey,
      LLM_MODEL: 'scripted',
      // Long enough for a busy machine, and shorter than the answer that comes too late.
      LLM_TIMEOUT_MS: '2000',
    };
    stdio = await startOverStdio(join(folder, 'data'), env);
  }, 120_000);
  afterAll(async () => {
    await stdio.close();
    await model.close();
    await kept.close();
    await rm(folder, { recursive: true });
  });

  describe('over stdio', () => {
    it('lets an implementation replace a requirement, the type included', async () => {
      const first = await stdio.call('mem.ingest_memory', {
        ...project,
        content_type: 'requirement',
        content: REQUIREMENT,
      });
      expect(first).toMatchObject({ status: 'created' });
      const second = await stdio.call('mem.ingest_memory', {
        ...project,
        content_type: 'development',
        content: DEVELOPMENT,
      });
      expect(second).toMatchObject({ id: first.id, status: 'updated' });
      const { results } = await stdio.call('mem.get', { ids: [first.id] });
      expect(results).toMatchObject([
        {
          content: DEVELOPMENT,
          content_type: 'development',
          summary: '上传文件的大小限制。',
          tags: ['上传', '限制', '413'],
        },
      ]);
      const history = await stdio.call('mem.versions', { id: first.id });
      expect(history.results[1]).toMatchObject({ content: REQUIREMENT, content_type: 'requirement' });
      expect(await stdio.call('mem.arbitrations', project)).toMatchObject({
        results: [{ action: 'REPLACE', model: 'scripted' }],
      });
    });

    it('finds in two stages', async () => {
      const { id } = await stdio.call('mem.ingest_memory', {
        ...project,
        content_type: 'development',
        content: DECISION,
      });
      const found = await stdio.call('mem.search', { query: '为什么使用 pgvector', scope: 'development' });
      expect(found.results[0]).toMatchObject({ id, snippet: expect.stringContaining('pgvector') });
      expect(found.metadata.next_action).toBe('use_ids_to_call_mem_get');
      const { results } = await stdio.call('mem.get', { ids: [found.results[0].id] });
      expect(results[0].content).toBe(DECISION);
    });

    it.each<[string, Step]>([
      ['garbage', { kind: 'answer', text: 'Well, it depends.' }],
      ['a verdict that there is not', { kind: 'answer', text: '{"action":"MERGE"}' }],
      ['nothing in time', { kind: 'answer', text: '{"action":"REPLACE"}', delayMs: 5_000 }],
      ['a refusal', { kind: 'refusal', text: 'I cannot help with that.' }],
    ])('keeps both when the model answers %s', async (name, step) => {
      verdict = step;
      const own = { project_name: name, content_type: 'plan', content: REQUIREMENT };
      const first = await stdio.call('mem.ingest_memory', own);
      const second = await stdio.call('mem.ingest_memory', { ...own, content: DEVELOPMENT });
      expect(second).toMatchObject({ status: 'created', candidates: [{ id: first.id, content_type: 'plan' }] });
      expect(second.id).not.toBe(first.id);
      const logged = await stdio.call('mem.arbitrations', { project_name: name });
      expect(logged.results).toMatchObject([{ action: 'KEEP_BOTH', model: null }]);
    });

    it('skips what says nothing new', async () => {
      verdict = { kind: 'answer', text: '```json\n{"action": "skip"}\n```' };
      const own = { project_name: 'skip', content_type: 'plan', content: REQUIREMENT };
      const { id } = await stdio.call('mem.ingest_memory', own);
      const again = await stdio.call('mem.ingest_memory', { ...own, content: DEVELOPMENT });
      expect(again).toMatchObject({ id, status: 'skipped' });
    });

    it('refuses another owner and a source', async () => {
      expect(await stdio.refusal('mem.list_projects', { owner_id: 'eve' })).toContain('ERR_OWNER_MISMATCH');
      const args = { ...project, content_type: 'plan', content: 'x', source: 'watcher' };
      expect(await stdio.refusal('mem.ingest_memory', args)).toContain('source');
    });

    it('lets a second process look after the folder meanwhile', async () => {
      const { code, stdout } = await runServer(['--doctor'], env);
      expect({ code, ...JSON.parse(stdout) }).toMatchObject({ code: 0, torn: [], broken: [], mended: [] });
      const checked = JSON.parse((await runServer(['--check'], env)).stdout);
      expect(checked.checks[0]).toMatchObject({
        name: 'store',
        status: 'ok',
        detail: expect.stringContaining(kept.place),
      });
    });
  });

  describe('over HTTP, after stdio has ended', () => {
    it('are there, get the vectors of another embedder, and fit each other', async () => {
      const { results: before } = await stdio.call('mem.list_projects', {});
      await stdio.close();
      const http = await startOverHttp({ ...env, LOG_LEVEL: 'info' });
      const answer = await fetch(`${http.url}/projects`);
      expect(await answer.json()).toMatchObject({ results: before });
      const query = new URLSearchParams({ query: '为什么使用 pgvector' });
      const found = (await (await fetch(`${http.url}/memories/search?${query}`)).json()) as {
        results: { id: string }[];
      };
      const read = await fetch(`${http.url}/memories?ids=${found.results[0]?.id}`);
      expect(await read.json()).toMatchObject({ results: [{ content: DECISION }] });
      await http.close();
      const file = join(folder, 'export.jsonl');
      const exported = JSON.parse((await runServer(['--export', file], env)).stdout);
      const imported = JSON.parse((await runServer(['--import', file], env)).stdout);
      // A header and an end stand around what was stored already, and a version counts with its memory.
      expect(imported).toMatchObject({ imported: { memory: 0, project: 0 }, refused: [], is_complete: true });
      expect(imported.unchanged).toBe(exported.lines - 3);
      const absent = await runServer(['--import', join(folder, 'absent.jsonl')], env);
      expect(absent).toMatchObject({ code: 2, stderr: expect.stringContaining('--import cannot read') });
      const again = await runServer(['--reembed'], { ...env, EMBEDDING_DIMENSIONS: '128' });
      expect(JSON.parse(again.stdout)).toEqual({ memories: expect.any(Number), pending: 0 });
      const doctor = await runServer(['--doctor'], { ...env, EMBEDDING_DIMENSIONS: '128' });
      expect(JSON.parse(doctor.stdout)).toMatchObject({ torn: [], broken: [], mended: [], pending: 0 });
    });
  });
}
