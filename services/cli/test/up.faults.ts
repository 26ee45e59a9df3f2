import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { descendantsOf, isAlive, leftBehind } from './fixtures/processes.ts';
import { createUpFixture, type UpFixture } from './fixtures/up.ts';

let fixture: UpFixture;

beforeEach(async () => {
  fixture = await createUpFixture();
});
afterEach(() => fixture.remove());

describe('contextloom up', () => {
  it('leaves nothing behind either when it is killed and can end nothing itself', async () => {
    const running = await fixture.upAndRunning();
    const processes = descendantsOf(running.cli.child.pid);
    running.cli.child.kill('SIGKILL');
    await running.cli.ended;
    expect(await leftBehind(processes)).toEqual([]);
  });

  it.each([
    ['npm start', 'SIGTERM', ['start', '--silent', '--']],
    ['npm start', 'SIGKILL', ['start', '--silent', '--']],
    ['npx contextloom up', 'SIGTERM', ['exec', '--silent', '--', 'contextloom', 'up']],
  ] as const)('leaves nothing behind when %s is ended by %s in the background', async (_name, signal, words) => {
    const { cli } = await fixture.upThroughNpm(words);
    const processes = descendantsOf(cli.child.pid);
    expect(processes.length).toBeGreaterThanOrEqual(3);
    cli.child.kill(signal);
    const left = await leftBehind(processes);
    for (const pid of left) process.kill(pid, 'SIGKILL');
    expect(left).toEqual([]);
  });

  it('ends everything with code 1 and says which one when a service dies', async () => {
    const running = await fixture.upAndRunning();
    process.kill(running.knowledge_base.pid, 'SIGKILL');
    expect(await running.cli.ended).toBe(1);
    expect(running.cli.stderr()).toMatch(/contextloom: knowledge-base ended by SIGKILL.*the rest was stopped\n$/);
    expect(isAlive(running.aggregator.pid)).toBe(false);
  });
});
