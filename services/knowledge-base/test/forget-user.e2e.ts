import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { findBytes } from '@contextloom/testing/find-bytes';
import { expect, it } from '@jest/globals';
import { ANN, describeForgetting, fill, SECRETS } from './forget-user.contract.ts';
import { installChroma } from './support/chroma-install.ts';
import { describeWithChroma, runner, startChroma } from './support/chroma-server.ts';
import { describeOnChroma } from './support/engines.ts';
import { openTemporary } from './support/service.ts';

describeForgetting(describeOnChroma);

describeWithChroma('the files of a Chroma server', () => {
  it('have no byte of a user who was forgotten, once its index was rebuilt and they were vacuumed', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'contextloom-forget-chroma-'));
    let server = await startChroma({ dataDir });
    const opened = await openTemporary('strict', server);
    await fill(opened);
    const { unreached } = await opened.knowledgeBase.forget(ANN, false);
    // What the receipt says is so: the server has erased nothing by itself.
    expect(unreached).toMatchObject([{ why: expect.stringContaining('chroma vacuum') }]);
    expect(findBytes(dataDir, SECRETS)).not.toEqual([]);
    // Chroma writes vector files from memory that it has not cleared: what the process held before would be in them.
    await server.stop();
    server = await startChroma({ dataDir, port: server.port });
    await opened.knowledgeBase.rebuildIndex();
    await opened.remove();
    await server.stop();
    const vacuum = [runner, 'stdin', await installChroma(), 'vacuum', '--path', dataDir, '--force'];
    await promisify(execFile)(process.execPath, vacuum, { cwd: dataDir });
    expect(findBytes(dataDir, SECRETS)).toEqual([]);
    expect(findBytes(dataDir, ['Bergen'])).not.toEqual([]);
    await rm(dataDir, { recursive: true });
  });
});
