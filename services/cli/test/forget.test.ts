import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';
import { type ScriptedAggregator, startScriptedAggregator } from './fixtures/scripted-aggregator.ts';

let aggregator: ScriptedAggregator;
beforeAll(async () => {
  aggregator = await startScriptedAggregator();
});
afterAll(() => aggregator.close());
// What hooks keep on the machine of whoever runs the tests is none of theirs.
const env = { CONTEXTLOOM_HOOKS_DIR: join(tmpdir(), 'contextloom-no-hooks') };
const run = (...args: string[]) => runCli(['--url', aggregator.url, 'forget', ...args], { env });

describe('contextloom forget', () => {
  it('counts and erases nothing without --yes', async () => {
    const { code, stdout } = await run('--user', 'tess');
    expect(aggregator.calls.at(-1)).toEqual({ tool: 'forget_user', args: { user_id: 'tess', dry_run: true } });
    expect(stdout).toMatch(/personal-memory +│ events +│ 3/);
    expect(stdout).not.toMatch(/relations/);
    expect(stdout).toMatch(/Nothing was erased: --yes erases this, for good\.\n$/);
    expect(code).toBe(0);
  });

  it('erases with --yes, and fails when something was out of reach', async () => {
    const { code, stdout } = await run('--user', 'tess', '--yes');
    expect(aggregator.calls.at(-1)?.args).toEqual({ user_id: 'tess', dry_run: false });
    expect(stdout).toContain('out of reach at notes: what it may store (\uFFFD[31mask');
    expect(stdout).toMatch(/Erased 3 of tess\.\nreceipt: user 0{64}, 2026-03-02T09:30:00\.000Z\n$/);
    expect(code).toBe(1);
  });

  it('says that nothing is left, and succeeds', async () => {
    const { code, stdout } = await run('--user', 'stranger', '--yes');
    expect(stdout).toMatch(/^Nothing of stranger is left\./);
    expect(code).toBe(0);
  });

  it('never says that nothing is left where a store was not asked', async () => {
    const { code, stdout } = await run('--user', 'unasked', '--yes');
    expect(stdout).toContain('out of reach at notes');
    expect(stdout).toContain('Nothing of unasked was found where it could be asked.');
    expect(stdout).not.toContain('left.');
    expect(code).toBe(1);
  });

  it('prints the receipt as one JSON document', async () => {
    const { stdout } = await run('--user', 'tess', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ dry_run: true, total: 3, servers: [{ server: 'personal-memory' }] });
  });

  it('names what hooks of this machine keep, which the server of --url does not reach', async () => {
    const hooksDir = await mkdtemp(join(tmpdir(), 'contextloom-hooks-'));
    const forget = () =>
      runCli(['--url', aggregator.url, 'forget', '--user', 'stranger', '--yes'], {
        env: { CONTEXTLOOM_HOOKS_DIR: hooksDir },
      });
    await mkdir(join(hooksDir, 'contexts'));
    expect((await forget()).stdout).toMatch(/^Nothing of stranger is left\./);
    await writeFile(join(hooksDir, 'contexts/one.json'), '{}');
    const { code, stdout } = await forget();
    expect(stdout).toContain('out of reach at hooks: what hooks keep on this machine (it stays where it is');
    expect(stdout).toContain('Nothing of stranger was found where it could be asked.');
    expect(code).toBe(1);
    await rm(hooksDir, { recursive: true });
  });

  it('wants a user', async () => {
    expect((await run('--yes')).code).toBe(2);
  });
});
