import { cp, rename, rm } from 'node:fs/promises';
import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/runtime';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.ts';

describe('a folder that is taken away from a running service', () => {
  const document = { doc_id: 'd', content: 'green tea' };
  it.each([
    ['deleted', (folder: string) => rm(folder, { recursive: true })],
    ['moved', (folder: string) => rename(folder, `${folder}-moved`)],
    [
      'replaced by its copy',
      async (folder: string) => {
        await rename(folder, `${folder}-moved`);
        await cp(`${folder}-moved`, folder, { recursive: true });
      },
    ],
  ])('is noticed when it is %s: nothing more is acknowledged', async (_name, takeAway) => {
    const service = await startService();
    try {
      expect((await service.ask('POST', '/add', document)).status).toBe(200);
      await takeAway(service.dataDir);
      for (const [method, path, body] of [
        ['POST', '/add', { ...document, doc_id: 'late' }],
        ['PATCH', '/documents/d', { content: 'black tea' }],
        ['DELETE', '/documents/d', undefined],
        ['POST', '/search', { query: 'tea' }],
        ['POST', '/rebuild_index', {}],
        ['GET', '/health', undefined],
      ] as const) {
        const { status, json } = await service.ask(method, path, body);
        expect({ path, status, detail: json.detail }).toEqual({
          path,
          status: 503,
          detail: expect.stringMatching(/the file of the store was moved, deleted or replaced/),
        });
      }
    } finally {
      await service.remove();
      await rm(`${service.dataDir}-moved`, { recursive: true, force: true });
    }
  });
});

describe('GET /health', () => {
  it('answers 503 with the reason, as an error too, when the store cannot be used (original fault: always running)', async () => {
    const service = await startService();
    await service.knowledgeBase.close();
    const reason = 'the store is closed';
    expect(await service.ask('GET', '/health')).toMatchObject({
      status: 503,
      json: {
        success: false,
        status: 'degraded',
        store: { kind: 'embedded', status: 'unavailable', reason },
        error: { code: 'unavailable', message: reason },
        detail: reason,
      },
    });
    const client = createHttpKnowledgeBase({ url: service.url, newId: () => 'id', log: silentLog });
    await expect(client.health()).rejects.toMatchObject({ code: 'unavailable', message: reason });
    await service.remove();
  });

  it('is known to the client of another process', async () => {
    const service = await startService();
    const client = createHttpKnowledgeBase({ url: service.url, newId: () => 'id', log: silentLog });
    expect(await client.health()).toEqual({ kind: 'embedded', status: 'running' });
    await service.remove();
  });
});
