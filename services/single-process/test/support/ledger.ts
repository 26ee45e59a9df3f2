import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TestClient } from '@contextloom/testing';
import { expect } from '@jest/globals';

/** How a sentence of a user gets into each of the stores. */
const WAYS = {
  document: (user: string, text: string) =>
    ['knowledge-base__add_document', { content: text, metadata: { user_id: user } }] as const,
  event: (user: string, text: string) =>
    ['personal-memory__add_event', { user_id: user, event_type: 'activity', description: text }] as const,
  job: (user: string, text: string) => {
    const conversation = { conversation_history: `Ann: ${text}`, conversation_date: '2025-03-05' };
    const how = { transcript_id: randomUUID(), idempotency_key: randomUUID(), wait: false };
    return ['store_conversation_memory', { user_id: user, ...conversation, ...how }] as const;
  },
};

/** Who stores at the same time. */
export const USERS = ['ann', 'bob', 'cy', 'dee'];

/** What asks the servers. */
type Asking = Pick<TestClient, 'callTool' | 'codeOf'>;

/** What is stored. */
export type Kind = keyof typeof WAYS;
/** All of it. */
export const KINDS = Object.keys(WAYS) as readonly Kind[];

const ALL = [...KINDS, 'import'] as const;

/** What clients were told, by user and kind; nothing is stored twice on purpose. */
export class Ledger {
  readonly #acknowledged = new Map<string, Set<string>>();
  /** The codes of what was refused. */
  readonly refusals: string[] = [];
  readonly #forgotten = new Set<string>();
  /** How much was acknowledged, also of those who were forgotten later. */
  acknowledged = 0;

  #of(kind: Kind | 'import', user: string): Set<string> {
    const key = `${kind} ${user}`;
    const known = this.#acknowledged.get(key) ?? new Set();
    this.#acknowledged.set(key, known);
    return known;
  }

  #add(kind: Kind | 'import', user: string, text: string): void {
    this.#of(kind, user).add(text);
    this.acknowledged += 1;
  }

  get count(): number {
    return [...this.#acknowledged.values()].reduce((sum, { size }) => sum + size, 0);
  }

  /** Stores one sentence; true where it was acknowledged. */
  async store(client: Asking, kind: Kind, user: string, more = ''): Promise<boolean> {
    const text = `${kind} ${randomUUID()}`;
    const [tool, args] = WAYS[kind](user, `${text} ${more}`);
    const code = await client.codeOf(tool, args);
    if (code === undefined) this.#add(kind, user, text);
    else this.refusals.push(code);
    return code === undefined;
  }

  /** Hands a file with one conversation in, and imports it until it is done; a start that was cut off is made again, as people do. */
  async import(client: Asking, user: string): Promise<void> {
    const text = `import ${randomUUID()}`;
    const messages = [{ role: 'user', content: text }];
    const data = Buffer.from(JSON.stringify({ id: text, date: '2024-03-05', messages })).toString('base64');
    const handIn = { user_id: user, name: `${text}.jsonl`, data };
    const { upload } = Object((await client.callTool('memory-processor__upload_import', handIn)).structured);
    if (upload === undefined) return;
    const ask = (tool: string, args: object) =>
      client.callTool(`memory-processor__${tool}`, { user_id: user, ...args });
    await until('an import', async () => {
      const listed = await ask('list_imports', {});
      const { imports = [] } = Object(listed.structured) as { readonly imports?: readonly Listed[] };
      // By the file and not by the id: the answer that had it may have been cut off.
      const state = imports.find(({ sources }) => sources.includes(handIn.name))?.state;
      if (state === 'done' || state === 'running') return state === 'done' ? undefined : state;
      return (await ask('start_import', { upload })).text;
    });
    this.#add('import', user, text);
  }

  /** Has each server forget somebody, until it says so. */
  async forget(client: Asking, user: string): Promise<void> {
    // First what still reads conversations.
    for (const server of ['memory-processor', 'knowledge-base', 'personal-memory']) {
      await until(`${server}: forgetting`, () =>
        client.codeOf(`${server}__forget_user`, { user_id: user, dry_run: false }),
      );
    }
    this.#forgotten.add(user);
    for (const kind of ALL) this.#acknowledged.delete(`${kind} ${user}`);
  }

  /** Everything acknowledged is there, and nothing is there twice, or of somebody who was forgotten; jobs are waited for. */
  async check(client: Asking, user: string): Promise<void> {
    await untilJobsDone(client, user);
    const documents = await readDocuments(client, user);
    const events = await readEvents(client, user);
    const held = [...documents, ...events];
    expect(new Set(held).size).toBe(held.length);
    const lost = ALL.flatMap((kind) => [...this.#of(kind, user)].filter((text) => !held.includes(text)));
    expect(lost).toEqual([]);
    if (this.#forgotten.has(user)) expect(held).toEqual([]);
  }
}

/** Does something until nothing is left to wait for, for two minutes at most; what it waits for is told then. */
async function until(what: string, work: () => Promise<string | undefined>): Promise<void> {
  const last = performance.now() + 120_000;
  for (let left = await work(); left !== undefined; left = await work()) {
    if (performance.now() > last) throw new Error(`${what}: ${left}`);
    await sleep(50);
  }
}

interface Listed {
  readonly sources: readonly string[];
  readonly state: string;
}

interface Job {
  readonly job_id: string;
  readonly state: string;
}

/** What a tool answers. Reading is asked again: what is left of the last cuts is found out by whoever comes next. */
async function ask(client: Asking, tool: string, args: Record<string, unknown>, left = 100): Promise<unknown> {
  const { isError, structured, text } = await client.callTool(tool, args);
  if (!isError) return structured;
  if (left === 0) throw new Error(text);
  await sleep(100);
  return ask(client, tool, args, left - 1);
}

/** Waits for the jobs of somebody; what would be tried again in some seconds is tried now. */
async function untilJobsDone(client: Asking, user: string): Promise<void> {
  for (;;) {
    const { jobs } = Object(await ask(client, 'list_jobs', { user_id: user, limit: 200 }));
    const open: readonly Job[] = jobs.filter(({ state }: Job) => state !== 'done');
    if (open.length === 0) return;
    expect(open.filter(({ state }) => state === 'dead')).toEqual([]);
    for (const { job_id } of open.filter(({ state }) => state === 'failed')) {
      await client.callTool('retry_job', { user_id: user, job_id });
    }
    await sleep(50);
  }
}

/** The sentence that was stored, of a text in which others come before and after it. */
const toSentence = (text: string): string => /(?:document|job|event|import) [\da-f-]{36}/u.exec(text)?.[0] ?? text;

/** The sentences of documents, and of conversations, which are kept as documents. */
async function readDocuments(client: Asking, user: string): Promise<readonly string[]> {
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const args = { user_id: user, limit: 200, ...(cursor !== undefined && { cursor }) };
    const page = Object(await ask(client, 'knowledge-base__list_documents', args));
    found.push(...page.documents.map(({ content }: { readonly content: string }) => toSentence(content)));
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return found;
}

async function readEvents(client: Asking, user: string): Promise<readonly string[]> {
  const { data } = Object(await ask(client, 'personal-memory__export_data', { user_id: user, format: 'json' }));
  const { events } = JSON.parse(data) as { readonly events: readonly { readonly description: string }[] };
  return events.map(({ description }) => toSentence(description));
}
