import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from '@jest/globals';
import { bundleForBrowsers } from './support/bundle.ts';
import { createCalls, startServer } from './support/servers.ts';

const chromium = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);
const inBrowser = chromium === undefined ? it.skip : it;
if (chromium === undefined) process.stderr.write('skipped: no Chromium on this machine to run the client in\n');

const PROGRAM = `
import { Contextloom, isContextloomError } from '@contextloom/client';
const memory = new Contextloom({ url: location.origin, user: 'ann' });
const heard = [];
const controller = new AbortController();
const onProgress = ({ message }) => { heard.push(message); controller.abort(new Error('enough')); };
await memory.raw('wait', {}, { onProgress, signal: controller.signal }).catch((error) => heard.push(error.message));
await memory.raw('nothing').catch((error) => heard.push(isContextloomError(error) && error.code));
heard.push((await memory.recall('tea')).said);
document.body.textContent = JSON.stringify(heard);
`;

inBrowser(
  'works in a browser: calls, progress, abort, errors',
  async () => {
    const { text } = await bundleForBrowsers(PROGRAM);
    const calls = createCalls();
    const page = `<!doctype html><body><script type="module">${text.replaceAll('</script', '<\\/script')}</script></body>`;
    const server = await startServer(calls, { page });
    const profile = await mkdtemp(join(tmpdir(), 'contextloom-chromium-'));
    try {
      const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--virtual-time-budget=60000', '--dump-dom'];
      const { stdout } = await promisify(execFile)(String(chromium), [
        ...flags,
        `--user-data-dir=${profile}`,
        server.url,
      ]);
      expect(stdout).toContain(JSON.stringify(['half way', 'enough', 'invalid', 'ann: tea']));
      expect(calls.names).toEqual(['wait', 'recall']);
    } finally {
      calls.open();
      await server.close();
      await rm(profile, { recursive: true, force: true });
    }
  },
  120_000,
);
