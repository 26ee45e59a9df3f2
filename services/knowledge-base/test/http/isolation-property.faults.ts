import { silentLog } from '@contextloom/runtime';
import { connectOverFetch, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKnowledgeBaseServer } from '../../src/build-server.ts';
import { startService, type TestService } from '../support/service.ts';

/** Users whose names are easily taken for one another, one without a name, and enough others to make 50. */
const users: readonly (string | undefined)[] = [
  undefined,
  'ann',
  'ANN',
  'ann ',
  'an',
  'é',
  'e\u0301',
  '用户',
  '1',
  '"ann"',
  "' OR 1=1 --",
  '{"$ne":"x"}',
  ...Array.from({ length: 38 }, (_, at) => `user-${at}`),
];
const words = ['tea', 'train', '茶', '散步', 'secret'];

interface Step {
  readonly endpoint: 'http' | 'mcp';
  readonly call: 'add' | 'get' | 'update' | 'delete' | 'search' | 'list';
  readonly user: string | undefined;
  readonly id: string;
  readonly word: string;
}

const steps = fc.array(
  fc.record<Step>({
    endpoint: fc.constantFrom('http', 'mcp'),
    call: fc.constantFrom('add', 'add', 'add', 'get', 'update', 'delete', 'search', 'list'),
    user: fc.constantFrom(...users),
    id: fc.integer({ min: 0, max: 30 }).map((at) => `id-${at}`),
    word: fc.constantFrom(...words),
  }),
  { minLength: 120, maxLength: 120 },
);

/** What a call came to, whatever the door. */
interface Outcome {
  readonly ok: boolean;
  // biome-ignore lint/suspicious/noExplicitAny: tests read whatever the wire brings
  readonly answer: any;
}

let service: TestService;
let client: TestClient;
beforeAll(async () => {
  service = await startService();
  const { knowledgeBase } = service;
  client = await connectOverFetch(createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog }));
});
afterAll(async () => {
  await client.close();
  await service.remove();
});

async function overMcp(tool: string, args: Record<string, unknown>): Promise<Outcome> {
  const { isError, structured } = await client.callTool(tool, args);
  return { ok: !isError, answer: structured };
}

async function overHttp(method: string, path: string, body?: unknown): Promise<Outcome> {
  const { status, json } = await service.ask(method, path, body);
  expect([200, 404, 409]).toContain(status);
  return { ok: status === 200, answer: json };
}

function perform({ endpoint, call, user, id, word }: Step, doc_id: string, run: string): Promise<Outcome> {
  const named = user === undefined ? {} : { user_id: user };
  const document = { doc_id, content: `${word} of ${String(user)} ${id}`, tags: [run], metadata: named };
  const address = `/documents/${encodeURIComponent(doc_id)}?${new URLSearchParams(named)}`;
  const filter = { tags: [run], ...(user !== undefined && { metadata_filter: named }) };
  const byId = { doc_id, ...named };
  const change = { content: `${word} changed by ${String(user)}` };
  const isHttp = endpoint === 'http';
  switch (call) {
    case 'add':
      return isHttp ? overHttp('POST', '/add', document) : overMcp('add_document', document);
    case 'get':
      return isHttp ? overHttp('GET', address) : overMcp('get_document', byId);
    case 'update':
      return isHttp ? overHttp('PATCH', address, change) : overMcp('update_document', { ...byId, ...change });
    case 'delete':
      return isHttp ? overHttp('DELETE', address) : overMcp('delete_document', byId);
    case 'search': {
      const request = { query: word, top_k: 100, ...filter };
      return isHttp ? overHttp('POST', '/search', request) : overMcp('search_documents', request);
    }
    case 'list':
      return isHttp ? overHttp('POST', '/documents/list', filter) : overMcp('list_documents', filter);
  }
}

describe('50 users writing under the same ids through both doors', () => {
  it('never see, change or delete one another’s documents; nobody’s are in everyone’s reach by id', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        runs += 1;
        const run = `run-${runs}`;
        const owners = new Map<string, string | undefined>();
        const idsOf = (user: string | undefined) => [...owners].flatMap(([id, owner]) => (owner === user ? [id] : []));
        for (const step of sequence) {
          const id = `${run} ${step.id}`;
          const owner = owners.get(id);
          const isOwn = owners.has(id) && owner === step.user;
          const isInReach = isOwn || (owners.has(id) && owner === undefined);
          const { ok, answer } = await perform(step, id, run);
          if (step.call === 'search' || step.call === 'list') {
            const found = (answer.results ?? answer.documents).map((document: { id: string }) => document.id);
            const allowed = idsOf(step.user);
            if (step.call === 'list') expect(found.sort()).toEqual(allowed.sort());
            else expect(allowed).toEqual(expect.arrayContaining(found));
          } else if (step.call === 'add') {
            expect({ step, ok }).toEqual({ step, ok: isOwn || !owners.has(id) });
            if (ok) owners.set(id, step.user);
          } else {
            expect({ step, ok }).toEqual({ step, ok: isInReach });
            if (ok && step.call === 'delete') owners.delete(id);
            if (ok && step.call !== 'delete') expect(answer.document.metadata.user_id).toBe(owner);
          }
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
