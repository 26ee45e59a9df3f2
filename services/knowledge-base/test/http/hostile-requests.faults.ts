import { silentLog } from '@contextloom/runtime';
import { connectInMemory, type TestClient } from '@contextloom/testing';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { createKnowledgeBaseServer } from '../../src/build-server.ts';
import { call, documentLike, type HostileCall, searchLike, tampered } from '../support/hostile.ts';
import { type Attack, contents, encodings, queries, structures } from '../support/hostile-bodies.ts';
import {
  expectDocumented,
  type HostileService,
  measureHealth,
  startHostileService,
} from '../support/hostile-service.ts';
import { openTemporary, type TemporaryKnowledgeBase } from '../support/service.ts';

let service: HostileService;
/** Starts a service for the suite that calls it: large documents of another would slow every search down. */
function useService(): void {
  beforeAll(async () => {
    service = await startHostileService(1_024);
  });
  afterAll(() => service.stop());
}

const times: string[] = [];
afterAll(() => {
  process.stderr.write(`the longest that /health took while these were answered:\n${times.join('\n')}\n`);
});

async function attack({ name, statuses, ...request }: Attack): Promise<void> {
  const begin = performance.now();
  const { result, longestMs } = await measureHealth(service.url, () => service.send(request));
  const took = performance.now() - begin;
  times.push(`${longestMs.toFixed(0).padStart(6)} ms of ${took.toFixed(0).padStart(6)} ms  ${result.status}  ${name}`);
  expectDocumented(result);
  expect(statuses).toContain(result.status);
  await service.expectUnharmed();
}

describe.each([
  ['queries', queries],
  ['documents', contents],
  ['structures', structures],
  ['encodings', encodings],
])('hostile %s', (_kind, attacks) => {
  useService();

  it.each(attacks.map((one) => [one.name, one] as const))('%s is answered, and harms nothing', async (_name, one) => {
    await attack(one);
  });
});

/** What was stored is what was sent, to the last character; undefined for a call that stored no document. */
async function expectStored({ path, body }: HostileCall, json: { document_id?: string }): Promise<void> {
  if (path !== '/add' || typeof body !== 'string') return;
  const { content, metadata } = JSON.parse(body);
  const user = Object.hasOwn(metadata ?? {}, 'user_id') ? metadata.user_id : null;
  const id = encodeURIComponent(json.document_id ?? '');
  const query = typeof user === 'string' ? `?user_id=${encodeURIComponent(user)}` : '';
  const { json: read } = await service.send({ method: 'GET', path: `/documents/${id}${query}` });
  expect(read.document.content).toBe(content);
  expect(JSON.stringify(read.document.metadata)).toBe(JSON.stringify(metadata ?? {}));
}

describe('any request', () => {
  useService();

  it('is answered as documented, whatever JSON it brings, and harms nothing', async () => {
    const property = fc.asyncProperty(call, async (request) => {
      const answer = await service.send(request);
      expectDocumented(answer);
      if (answer.status === 200) await expectStored(request, answer.json);
      await service.expectUnharmed();
    });
    await fc.assert(property, { numRuns: 40, examples: [[{ method: 'GET', path: '/documents/%2e%2e' }]] });
  });

  it('is answered as documented, whatever bytes it brings, and harms nothing', async () => {
    const property = fc.asyncProperty(tampered, async (request) => {
      expectDocumented(await service.send(request));
      await service.expectUnharmed();
    });
    await fc.assert(property, { numRuns: 25 });
  });

  const head = 'POST /add HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n';
  it.each([
    ['in its headers', head],
    ['in a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n1f\r\n{"content":"he`],
    ['between chunks', `${head}Transfer-Encoding: chunked\r\n\r\nc\r\n{"content":"\r\n`],
    ['before its announced end', `${head}Content-Length: 100\r\n\r\n{"content":"heron"}`],
    ['in a gzip stream', `${head}Content-Encoding: gzip\r\nContent-Length: 100\r\n\r\n\x1f`],
  ])('that is cut %s harms nothing', async (_where, text) => {
    expect(await service.sendRaw(text)).toBe('');
    await service.expectUnharmed();
  });

  it.each([
    ['a chunk size that is no number', `${head}Transfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`],
    ['two lengths', `${head}Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}`],
    ['a length and chunks', `${head}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`],
    ['no HTTP', '\0\x16\x03\x01'],
  ])('with %s is refused and harms nothing', async (_what, text) => {
    expect(await service.sendRaw(text)).toMatch(/^HTTP\/1\.1 4\d\d /);
    await service.expectUnharmed();
  });
});

describe('a very long document next to others', () => {
  useService();

  it('is found by its word, though there is more text than is read for one search', async () => {
    const documents = Array.from({ length: 6 }, (_, at) => ({
      doc_id: `long-${at}`,
      content: `${'y'.repeat(999_000)} bittern${at}`,
      tags: ['long'],
    }));
    expect((await service.send({ method: 'POST', path: '/batch_add', body: JSON.stringify(documents) })).status).toBe(
      200,
    );
    const body = JSON.stringify({ query: 'bittern4', tags: ['long'], top_k: 1 });
    const { json } = await service.send({ method: 'POST', path: '/search', body });
    expect(json.results[0].id).toBe('long-4');
  });
});

describe('the tools', () => {
  let temporary: TemporaryKnowledgeBase;
  let client: TestClient;
  beforeAll(async () => {
    temporary = await openTemporary();
    const { knowledgeBase } = temporary;
    client = await connectInMemory(createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog }));
  });
  afterAll(async () => {
    await client.close();
    await temporary.remove();
  });

  it.each([
    ['add_document', documentLike],
    ['search_documents', searchLike],
  ])('%s answers any arguments in its form', async (tool, args) => {
    const property = fc.asyncProperty(args, async (given) => {
      // As a wire would bring them: -0 is 0, and no object is shared.
      const { isError, text, structured } = await client.callTool(tool, JSON.parse(JSON.stringify(given)));
      if (isError) {
        expect(text).not.toMatch(/[\r\n]|failed inside the server/);
        expect(text.length).toBeLessThan(10_000);
      } else {
        expect(structured).toMatchObject({ success: true });
      }
      const { isError: isHarmed } = await client.callTool('add_document', { doc_id: 'plain', content: 'egret' });
      expect(isHarmed).toBe(false);
    });
    await fc.assert(property, { numRuns: 40 });
  });
});
