import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationRoot } from '@contextloom/mcp-client';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { writeTestComposition } from '../fixtures/composition.ts';
import { runCli } from '../fixtures/run-cli.ts';
import { startScriptedAggregator } from '../fixtures/scripted-aggregator.ts';

const GHOST = join(installationRoot, 'services/ghost/dist/server.js');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'contextloom-doctor-'));
});
afterAll(() => rm(folder, { recursive: true }));

const doctor = (config: string, ...args: string[]) => runCli(['--config', config, 'doctor', ...args], { cwd: folder });

/** Two real servers, one that is not built, and one that is not ours and cannot be started. */
async function writeTroubledComposition(): Promise<string> {
  const file = join(folder, 'troubled.json');
  const server = (service: string, ...args: string[]) => ({
    command: process.execPath,
    args: [join(installationRoot, `services/${service}/dist/server.js`), ...args],
    env: { KB_DATA_DIR: join(folder, 'kb'), CHROMA_DATABASE: '${MCP_CONFIG}', EMBEDDING_API_KEY: 'sesame' },
  });
  const mcpServers = {
    'persona-marlow': server('persona', '--persona', 'marlow'),
    'knowledge-base': server('knowledge-base'),
    ghost: server('ghost'),
    other: { command: 'contextloom-no-such-command' },
  };
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 200_000 } }));
  return file;
}

describe('contextloom doctor', () => {
  it('shows settings with their sources and checks, and says that all is well', async () => {
    const config = await writeTestComposition(folder);
    const { code, stdout, stderr } = await doctor(config, '--all');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(`composition ${config}\nok: 4 servers\n`);
    // A long folder takes two lines; what it is, the next test but one reads from JSON.
    expect(stdout).toMatch(/│ KB_DATA_DIR +│ \S+ +│ KB_DATA_DIR \(composition\) +│/);
    expect(stdout).toMatch(/│ KB_ISOLATION +│ strict +│ default +│/);
    expect(stdout).toMatch(/│ CHROMA_URL +│ – +│ not set +│/);
    expect(stdout).toMatch(/│ store +│ ok +│ opens: /);
    expect(stdout).toMatch(/│ embeddings +│ off +│ lexical, needs no model +│/);
    expect(stdout).toMatch(/\nproxy\n[\s\S]*│ PROXY_PORT +│ 8040 +│ default +│[\s\S]*│ provider +│ off +│/);
    expect(stdout).toMatch(/│ memory-processor +│ running +│/);
    expect(stdout).toMatch(/\nAll is well\.\n$/);
  });

  it('mends what it can after saying what, and not without leave', async () => {
    const file = join(folder, 'mendable.json');
    const script = join(installationRoot, 'services/persona/dist/server.js');
    const keys = join(folder, 'open-keys.json');
    await writeFile(keys, '{"version":1,"keys":[]}', { mode: 0o644 });
    const persona = {
      command: process.execPath,
      args: [script, '--persona', 'marlow'],
      env: { CONTEXTLOOM_KEYS_FILE: keys },
    };
    await writeFile(file, JSON.stringify({ mcpServers: { 'persona-marlow': persona } }));
    const refused = await doctor(file, '--fix', '--json');
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining(`reading ${keys}. Pass --yes`) });
    const { stdout } = await doctor(file, '--fix', '--yes', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ repaired: [`keep others from reading ${keys}`] });
    expect((await stat(keys)).mode & 0o777).toBe(0o600);
  });

  it('shows what is wrong, counts it and ends with code 1, without showing a secret', async () => {
    const { code, stdout, stderr } = await doctor(await writeTroubledComposition());
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(/\nghost\n[^│]*│ check │ result │ detail [^a-z]*│ start │ failed │ there is no /);
    expect(stdout).toMatch(/\nother\nnot one of ours: see status\n/);
    expect(stdout).toMatch(/│ EMBEDDING_API_KEY +│ \(hidden\) +│ EMBEDDING_API_KEY \(composition\) +│/);
    expect(stdout).toMatch(/\d+ settings at their defaults \(--all shows them\)\n/);
    expect(stdout).not.toContain('KB_ISOLATION');
    expect(stdout).not.toContain('sesame');
    expect(stdout).toMatch(/│ ghost +│ ghost +│ unavailable +│ +– │ +– │ cannot be started/);
    expect(stdout).toMatch(/\n2 problems\.\n$/);
  });

  it('gives one JSON document with --json, and the same exit code', async () => {
    const file = await writeTroubledComposition();
    const { code, stdout, stderr } = await doctor(file, '--json');
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(JSON.parse(stdout)).toMatchObject({
      success: false,
      problems: 2,
      composition: { file, check: { status: 'ok' } },
      servers: {
        'persona-marlow': { kind: 'own', settings: { logLevel: { value: 'info', source: 'default' } }, checks: [] },
        'knowledge-base': {
          kind: 'own',
          // "${MCP_CONFIG}" stands for the composition, as it does for the aggregator.
          settings: {
            chromaDatabase: { value: file, source: { env: 'CHROMA_DATABASE' } },
            dataDir: { value: join(folder, 'kb'), source: { env: 'KB_DATA_DIR' } },
          },
          checks: [
            { name: 'store', status: 'ok' },
            { name: 'embeddings', status: 'off' },
          ],
        },
        ghost: { kind: 'own', checks: [{ status: 'failed', detail: expect.stringContaining(GHOST) }] },
        other: { kind: 'foreign' },
      },
      aggregator: { check: { status: 'ok' }, status: { status: 'degraded', components: { other: {} } } },
    });
  });

  it.each([
    ['that is not there', 'absent.json', undefined, /cannot read .*absent\.json: name another file with --config/],
    ['that is no JSON', 'rubbish.json', '{', /rubbish\.json is not valid JSON/],
  ])('shows a composition %s as a problem', async (_name, name, text, problem) => {
    if (text !== undefined) await writeFile(join(folder, name), text);
    const { code, stdout, stderr } = await doctor(join(folder, name));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    expect(stdout).toMatch(problem);
    expect(stdout).toMatch(/off: not asked, since the composition cannot be read\n\n1 problem\.\n$/);
  });

  it('shows why an aggregator does not answer as a problem', async () => {
    const file = join(folder, 'refused.json');
    await writeFile(file, JSON.stringify({ mcpServers: {}, aggregator: { source_deadline_ms: 0 } }));
    const { code, stdout } = await doctor(file);
    expect(stdout).toMatch(/\nfailed: \S+\.aggregator\.source_deadline_ms must be at least 1\n\n1 problem\.\n$/);
    expect(code).toBe(1);
  });

  it('tries each client with the server that it was given: stored, found and forgotten again', async () => {
    const home = join(folder, 'home');
    const env = { XDG_DATA_HOME: join(home, 'data'), XDG_CONFIG_HOME: join(home, 'config') };
    const script = join(installationRoot, 'services/single-process/dist/server.js');
    const serve = (profile: string) => ({
      command: process.execPath,
      args: [script, '--profile', profile, '--user', 'ann'],
      env,
    });
    await mkdir(join(home, '.cursor'), { recursive: true });
    await mkdir(join(home, '.gemini'));
    await writeFile(join(home, '.claude.json'), JSON.stringify({ mcpServers: { contextloom: serve('chat') } }));
    await writeFile(join(home, '.gemini/settings.json'), JSON.stringify({ mcpServers: { contextloom: serve('app') } }));
    await mkdir(join(home, '.codeium/windsurf'), { recursive: true });
    await writeFile(
      join(home, '.codeium/windsurf/mcp_config.json'),
      JSON.stringify({ mcpServers: { contextloom: serve('all') } }),
    );
    const gone = { command: process.execPath, args: [GHOST] };
    await writeFile(join(home, '.cursor/mcp.json'), JSON.stringify({ mcpServers: { contextloom: gone } }));
    const config = join(folder, 'none.json');
    await writeFile(config, JSON.stringify({ mcpServers: {} }));
    const machine = { platform: 'linux', home, env: {} } as const;
    const { stdout } = await runCli(['--config', config, 'doctor', '--json'], { cwd: folder, machine });
    expect(JSON.parse(stdout).clients).toMatchObject({
      'claude-code': { status: 'ok', detail: 'stored, found and forgot one memory' },
      windsurf: { status: 'ok' },
      gemini: { status: 'off' },
      cursor: { status: 'failed' },
    });
    const told = await runCli(['--config', config, 'doctor'], { cwd: folder, machine });
    expect(told).toMatchObject({ code: 1, stdout: expect.stringContaining('\nclient claude-code\nok: stored') });
  });

  it('asks the aggregator that runs at an address for its status', async () => {
    const aggregator = await startScriptedAggregator();
    // What its status names cannot come from this composition.
    const config = join(folder, 'empty.json');
    await writeFile(config, JSON.stringify({ mcpServers: {} }));
    try {
      const { code, stdout } = await runCli(['--url', aggregator.url, 'doctor'], { env: { MCP_CONFIG: config } });
      expect(stdout).toMatch(/│ knowledge-base +│ unavailable +│ +– │ it cannot be started +│/);
      expect(code).toBe(1);
    } finally {
      await aggregator.close();
    }
  });

  it('ends with one line when it is interrupted', async () => {
    const { code, stdout, stderr } = await runCli(['--config', await writeTroubledComposition(), 'doctor'], {
      cwd: folder,
      signal: AbortSignal.abort(),
    });
    expect({ code, stdout, stderr }).toEqual({ code: 1, stdout: '', stderr: 'contextloom: interrupted\n' });
  });
});
