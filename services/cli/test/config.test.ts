import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationRoot, installedComposition } from '@contextloom/mcp-client';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { runCli } from './fixtures/run-cli.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-config-'));
});
afterEach(() => rm(folder, { recursive: true }));

const script = (service: string): string => join(installationRoot, `services/${service}/dist/server.js`);
const config = async (args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
  const { code, stdout, stderr } = await runCli(['config', ...args], { cwd: folder, env });
  return { code, stderr, servers: code === 0 ? JSON.parse(stdout).mcpServers : undefined };
};

describe('contextloom config', () => {
  it('prints the aggregator with absolute paths', async () => {
    const { servers, stderr } = await config([], { KB_DATA_DIR: 'data', LLM_API_KEY: 'sesame' });
    expect(stderr).toBe('');
    expect(servers).toEqual({
      'context-aggregator': {
        command: process.execPath,
        args: [script('context-aggregator'), '--config', installedComposition],
        env: { KB_DATA_DIR: join(folder, 'data') },
      },
    });
  });

  it('prints a server alone, by its name or that of its service, and no secrets', async () => {
    const byService = await config(['project-memory'], {
      LLM_MODEL: 'm',
      LLM_API_KEY: 'sesame',
      DATABASE_URL: 'postgres://u:p@h/d',
    });
    expect(byService).toEqual({
      code: 0,
      stderr: 'contextloom: left out, since they are secret: DATABASE_URL, LLM_API_KEY\n',
      servers: {
        'agent-mem': {
          command: process.execPath,
          args: [script('project-memory')],
          env: { LLM_MODEL: 'm' },
        },
      },
    });
    expect((await config(['agent-mem'])).servers).toMatchObject({ 'agent-mem': { args: [script('project-memory')] } });
  });

  it('prints an address with --url, and names the servers there are', async () => {
    const url = 'http://127.0.0.1:8010/mcp';
    expect((await config(['--url', url])).servers).toEqual({ 'context-aggregator': { type: 'http', url } });
    const unknown = await config(['persona-ishmael']);
    expect(unknown.code).toBe(1);
    expect(unknown.stderr).toMatch(/has no server "persona-ishmael"; there are: persona-uozumi, persona-marlow, /);
  });
});

describe('a composition that was copied elsewhere', () => {
  it('says in one line why nothing starts and what to do', async () => {
    const copy = join(folder, 'mcp_config.json');
    await cp(installedComposition, copy);
    const missing = join(folder, 'services/persona/dist/server.js');
    for (const command of [['status'], ['config'], ['up'], ['prompt', 'marlow', 'hi', '--user', 'ann']]) {
      const { code, stderr } = await runCli(['--config', copy, ...command]);
      expect({ code, stderr }).toEqual({
        code: 1,
        stderr: `contextloom: ${copy} starts nothing: there is no ${missing}; relative paths start at the folder of the file: write absolute ones, or name ${installedComposition} with --config\n`,
      });
    }
  });
});
