import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/mcp-kit';
import { describe, expect, it } from '@jest/globals';
import { startService } from '../support/service.ts';

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
