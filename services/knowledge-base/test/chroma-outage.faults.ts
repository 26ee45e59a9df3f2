import { once } from 'node:events';
import { readdir, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it } from '@jest/globals';
import { type ChromaServer, describeWithChroma, findFreePort, startChroma } from './support/chroma-server.ts';
import { startService, type TestService } from './support/service.ts';
import { startTcpProxy, type TcpProxy } from './support/tcp-proxy.ts';

const RECOVERY_MS = 20_000;
/** Enough documents for the engine to write its vector index to disk, which it does from a thousand on. */
const MANY = 1_100;

const document = (at: number) => ({
  doc_id: `d-${at}`,
  content: `number ${at} 第${at}号 of the harbour`,
  metadata: { user_id: 'ann' },
});
const addMany = (service: TestService, count: number) =>
  service.ask('POST', '/batch_add', { documents: Array.from({ length: count }, (_, at) => document(at)) });
const search = (service: TestService, query: string) =>
  service.ask('POST', '/search', { query, user_id: 'ann', top_k: 3 });

async function untilStatus(service: TestService, status: number): Promise<void> {
  for (const deadline = Date.now() + RECOVERY_MS; Date.now() < deadline; await sleep(100)) {
    if ((await service.ask('GET', '/health')).status === status) return;
  }
  throw new Error(`health did not become ${status}`);
}

/** A failing answer: 503, with a cause that names Chroma and no text of the engine. */
const unavailable = (cause: RegExp) => ({
  status: 503,
  json: { success: false, error: { code: 'unavailable', message: expect.stringMatching(cause) } },
});

describeWithChroma('the service when its Chroma server', () => {
  const after: (() => Promise<unknown>)[] = [];
  const later = <T>(thing: T, undo: () => Promise<unknown>): T => {
    after.unshift(undo);
    return thing;
  };
  afterEach(async () => {
    for (const undo of after.splice(0)) await undo();
  });

  const openChroma = async (options = {}): Promise<ChromaServer> => {
    const server = await startChroma(options);
    return later(server, server.stop);
  };
  const openService = async (place: Pick<ChromaServer, 'url'>): Promise<TestService> => {
    const service = await startService('strict', place);
    return later(service, service.remove);
  };
  const openLine = async (server: ChromaServer): Promise<TcpProxy> => {
    const line = await startTcpProxy(server.port);
    return later(line, line.close);
  };

  it('is not up yet: starts, says so, and works as soon as it is', async () => {
    const port = await findFreePort();
    const service = await openService({ url: `http://127.0.0.1:${port}` });
    const health = await service.ask('GET', '/health');
    expect(health).toMatchObject(unavailable(/Chroma at http.* cannot be reached/));
    expect(health.json.store).toMatchObject({ kind: 'chroma', status: 'unavailable' });
    expect(await search(service, 'number 7')).toMatchObject(unavailable(/cannot be reached/));
    expect(await service.ask('POST', '/add', document(1))).toMatchObject(unavailable(/cannot be reached/));
    await openChroma({ port });
    await untilStatus(service, 200);
    expect((await service.ask('POST', '/add', document(1))).status).toBe(200);
    expect((await search(service, 'number 1')).json.results).toMatchObject([{ id: 'd-1' }]);
  });

  it('is killed and comes back under load: refuses with the cause, and loses nothing', async () => {
    const chroma = await startChroma();
    later(chroma, () => rm(chroma.dataDir, { recursive: true, force: true }));
    const service = await openService(chroma);
    const acknowledged: string[] = [];
    const refused: number[] = [];
    let isOver = false;
    const writers = [0, 1, 2].map(async (writer) => {
      for (let at = writer; !isOver && at < 3_000; at += 3) {
        const { status } = await service.ask('POST', '/add', document(at));
        if (status === 200) acknowledged.push(`d-${at}`);
        else refused.push(status);
        await sleep(20);
      }
    });
    await sleep(1_000);
    await chroma.kill();
    await untilStatus(service, 503);
    await openChroma({ dataDir: chroma.dataDir, port: chroma.port });
    await untilStatus(service, 200);
    await sleep(500);
    isOver = true;
    await Promise.all(writers);
    expect(new Set(refused)).toEqual(new Set([503]));
    const { json } = await service.ask('POST', '/documents/list', { user_id: 'ann', limit: 200 });
    expect(json.total).toBeGreaterThanOrEqual(acknowledged.length);
    const found = await Promise.all(acknowledged.map((id) => service.ask('GET', `/documents/${id}?user_id=ann`)));
    expect(found.filter(({ status }) => status !== 200)).toEqual([]);
  });

  it('does not answer any more: says so within seconds, and goes on when it does', async () => {
    const line = await openLine(await openChroma());
    const service = await openService(line);
    expect((await service.ask('POST', '/add', document(1))).status).toBe(200);
    line.isSilent = true;
    expect(await service.ask('GET', '/health')).toMatchObject(unavailable(/did not answer within 2 s/));
    line.isSilent = false;
    line.cut();
    await untilStatus(service, 200);
    expect((await search(service, 'number 1')).json.results).toMatchObject([{ id: 'd-1' }]);
  });

  it('is slow: answers all the same', async () => {
    const line = await openLine(await openChroma());
    line.delayMs = 60;
    const service = await openService(line);
    await untilStatus(service, 200);
    expect((await service.ask('POST', '/add', document(1))).status).toBe(200);
    expect((await search(service, 'number 1')).json.results).toMatchObject([{ id: 'd-1' }]);
  });

  it('has lost its vector index: says so instead of finding nothing, and a rebuild mends it', async () => {
    const chroma = await startChroma();
    later(chroma, () => rm(chroma.dataDir, { recursive: true, force: true }));
    const service = await openService(chroma);
    expect((await addMany(service, 1_000)).status).toBe(200);
    for (let at = 1_000; at < MANY; at += 1) await service.ask('POST', '/add', document(at));
    expect((await search(service, 'number 77')).json.results[0]).toMatchObject({ id: 'd-77' });
    await chroma.kill();
    const folders = (await readdir(chroma.dataDir, { withFileTypes: true })).filter((entry) => entry.isDirectory());
    expect(folders.length).toBeGreaterThan(0);
    for (const { name } of folders) await rm(join(chroma.dataDir, name), { recursive: true });
    await openChroma({ dataDir: chroma.dataDir, port: chroma.port });
    await untilStatus(service, 503);
    const lost = unavailable(/has lost its vector index: the log of the service says what to do$/);
    expect(await service.ask('GET', '/health')).toMatchObject(lost);
    expect(await search(service, 'number 77')).toMatchObject(lost);
    expect(await service.ask('POST', '/rebuild_index')).toMatchObject({ status: 200, json: { document_count: MANY } });
    await untilStatus(service, 200);
    expect((await search(service, 'number 77')).json.results[0]).toMatchObject({ id: 'd-77' });
    expect((await service.ask('GET', '/stats?user_id=ann')).json.stats).toMatchObject({
      document_count: MANY,
      vector_count: MANY,
    });
  });
});

describe('the service when a server that is no Chroma of our time answers', () => {
  let server: Server | undefined;
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.remove();
    server?.close();
  });

  const openOver = async (status: number, body: string): Promise<TestService> => {
    server = createServer((_request, response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(body);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    service = await startService('strict', { url: `http://127.0.0.1:${port}` });
    return service;
  };

  it.each([
    ['says an old version', 200, '"0.6.3"', /version 0\.6\.3: version 1\.0 or newer is needed/],
    ['does not know the question', 404, '{"detail":"Not Hit"}', /version of before 1\.0/],
    ['speaks no JSON', 200, 'hello', /gives no answer of a Chroma server: CHROMA_URL/],
  ])('one that %s', async (_name, status, body, message) => {
    const old = await openOver(status, body);
    expect(await old.ask('GET', '/health')).toMatchObject(unavailable(message));
    expect(await old.ask('POST', '/add', document(1))).toMatchObject(unavailable(message));
  });
});
