import { once } from 'node:events';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { descendantsOf, leftBehind } from '../fixtures/processes.ts';
import { spawnCli } from '../fixtures/spawn-cli.ts';

let folder: string;

// The demo makes its folder where TMPDIR says: what it leaves behind is seen here.
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-demo-test-'));
});

afterAll(() => rm(folder, { recursive: true }));

describe('contextloom demo', () => {
  it('ends with code 1, one line and nothing left when it is interrupted', async () => {
    const cli = spawnCli(['demo'], { TMPDIR: folder, KB_URL: 'http://127.0.0.1:9' });
    // Early enough that the signal comes before the end, however busy the machine is.
    while (!/storing[\s\S]*storing/.test(cli.stderr())) await once(cli.child.stderr ?? cli.child, 'data');
    const processes = descendantsOf(cli.child.pid);
    cli.child.kill('SIGINT');
    expect(await cli.ended).toBe(1);
    expect(processes.length).toBeGreaterThanOrEqual(2);
    expect(await leftBehind(processes)).toEqual([]);
    expect(cli.stderr()).toMatch(/contextloom: interrupted\n$/);
    expect(await readdir(folder)).toEqual([]);
  });
});
