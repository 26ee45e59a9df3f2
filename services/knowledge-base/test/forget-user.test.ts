import { createHttpKnowledgeBase } from '@contextloom/knowledge-client';
import { silentLog } from '@contextloom/runtime';
import { connectInMemory } from '@contextloom/testing';
import { findBytes } from '@contextloom/testing/find-bytes';
import { describe, expect, it } from '@jest/globals';
import { createKnowledgeBaseServer } from '../src/build-server.ts';
import { ANN, bobs, describeForgetting, fill, SECRETS } from './forget-user.contract.ts';
import { describeInFile } from './support/engines.ts';
import { startService } from './support/service.ts';

describeForgetting(describeInFile);

describe('forgetting a user, over MCP and HTTP', () => {
  it('leaves no byte in any file of the store, and counts only without dry_run: false', async () => {
    const service = await startService();
    const { knowledgeBase, dataDir } = service;
    await fill(service);
    const before = await bobs(service);
    const allFound = () => new Set(findBytes(dataDir, SECRETS).map(({ text }) => text));
    expect(allFound()).toEqual(new Set(SECRETS));
    const client = await connectInMemory(createKnowledgeBaseServer({ knowledgeBase, version: '0', log: silentLog }));
    const { structured } = await client.callTool('forget_user', { user_id: ANN });
    expect(structured).toMatchObject({
      dry_run: true,
      total: 30,
      user_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(allFound()).toEqual(new Set(SECRETS));
    const remote = createHttpKnowledgeBase({ url: service.url, newId: () => 'unused', log: silentLog });
    expect(await remote.forget(ANN, false)).toMatchObject({ dry_run: false, total: 30, unreached: [] });
    expect(findBytes(dataDir, SECRETS)).toEqual([]);
    expect(await bobs(service)).toEqual(before);
    await client.close();
    await service.remove();
  });
});
