import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { descendantsOf, isAlive, leftBehind } from './fixtures/processes.ts';
import { runCli } from './fixtures/run-cli.ts';
import { createUpFixture, type UpFixture } from './fixtures/up.ts';

let fixture: UpFixture;

beforeEach(async () => {
  fixture = await createUpFixture();
});
afterEach(() => fixture.remove());

describe('contextloom up', () => {
  it('runs the whole composition, and Ctrl-C leaves not one of its processes behind', async () => {
    const running = await fixture.upAndRunning();
    expect((await fetch(`${running.knowledge_base.url}/health`)).status).toBe(200);
    const status = await runCli(['--url', running.aggregator.url, 'status', '--json']);
    expect(JSON.parse(status.stdout)).toMatchObject({ status: 'running' });
    const processes = descendantsOf(running.cli.child.pid);
    expect(processes.length).toBeGreaterThanOrEqual(6);
    running.cli.child.kill('SIGINT');
    expect(await running.cli.ended).toBe(0);
    expect(await leftBehind(processes)).toEqual([]);
  });

  it('gives client configurations, one over HTTP, one that starts the aggregator on the same data; SIGTERM ends it', async () => {
    const { cli: running, knowledge_base, aggregator, client_configuration } = await fixture.upAndRunning();
    expect(client_configuration.http.mcpServers['context-aggregator']?.url).toBe(aggregator.url);
    expect(client_configuration.stdio.mcpServers['context-aggregator']).toEqual({
      command: process.execPath,
      args: [expect.stringMatching(/^\/.*context-aggregator\/dist\/server\.js$/), '--config', fixture.config],
      env: { KB_DATA_DIR: join(fixture.folder, 'knowledge-base') },
    });
    running.child.kill('SIGTERM');
    expect(await running.ended).toBe(0);
    expect([isAlive(knowledge_base.pid), isAlive(aggregator.pid)]).toEqual([false, false]);
  });

  it('is what `console` opens, and runs where nothing does yet', async () => {
    const { cli: running, aggregator, console: page } = await fixture.consoleAndRunning();
    expect(await (await fetch(page.url)).text()).toContain('<div id="root">');
    const { port } = new URL(page.url);
    const again = await runCli(['console', '--no-browser', '--port', port]);
    expect({ ...again, stdout: again.stdout.trim() }).toMatchObject({ code: 0, stdout: `console  ${page.url}` });
    expect(isAlive(aggregator.pid)).toBe(true);
    running.child.kill('SIGINT');
    expect(await running.ended).toBe(0);
  });

  it('names port, address and option for a port in use, and starts nothing', async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, '127.0.0.1', resolve));
    const address = taken.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    try {
      const running = fixture.up('--kb-port', String(port), '--port', '0');
      expect(await running.ended).toBe(1);
      expect(running.stderr()).toBe(
        `contextloom: port ${port} on 127.0.0.1 is in use: choose another with --kb-port or KB_PORT\n`,
      );
      expect(running.stdout()).toBe('');
    } finally {
      taken.close();
    }
  });

  it('prints addresses and both configurations for people, and ends on SIGHUP', async () => {
    const running = fixture.up('--kb-port', '0', '--port', '0');
    while (!running.stdout().includes('Ctrl-C')) await new Promise((resolve) => setTimeout(resolve, 50));
    expect(running.stdout()).toMatch(/aggregator +http:\/\/127\.0\.0\.1:\d+\/mcp/);
    expect(running.stdout()).toMatch(/knowledge base +http:\/\/127\.0\.0\.1:\d+/);
    expect(running.stdout().match(/"mcpServers"/g)).toHaveLength(2);
    running.child.kill('SIGHUP');
    expect(await running.ended).toBe(0);
  });
});
