import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type AccessScope, addKey } from '@contextloom/access';
import { type HttpAggregator, serverFile, startHttpAggregator } from './server-process.ts';

const root = fileURLToPath(new URL('../../../../', import.meta.url));

/** The servers as they are built over data of their own, an aggregator in front of them, and keys of two users and of an administrator. */
export interface ClientStack {
  readonly aggregator: HttpAggregator;
  readonly keys: { readonly ann: string; readonly bob: string; readonly admin: string };
  readonly keysFile: string;
  /** How another aggregator over the same servers is started. */
  readonly program: {
    readonly command: string;
    readonly args: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
  /** Runs an example of the client as Ann and answers what it prints. */
  readonly runExample: (
    file: string,
    model: { readonly url: string; readonly apiKey: string },
    given: Given,
  ) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** What an example gets. */
export interface Given {
  readonly args?: readonly string[];
  readonly input?: string;
}

async function writeComposition(folder: string): Promise<string> {
  const service = (name: string, ...args: readonly string[]) => ({
    command: process.execPath,
    args: [join(root, `services/${name}/dist/server.js`), ...args],
  });
  const mcpServers = {
    'persona-marlow': service('persona', '--persona', 'marlow'),
    'knowledge-base': service('knowledge-base'),
    'memory-processor': service('memory-processor'),
    'personal-memory': service('personal-memory'),
  };
  const file = join(folder, 'mcp_config.json');
  await writeFile(file, JSON.stringify({ mcpServers, aggregator: { source_deadline_ms: 120_000 } }));
  return file;
}

/** Starts all of it, with `npm run test:e2e` having built it. */
export async function startClientStack(): Promise<ClientStack> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-client-'));
  const file = await writeComposition(folder);
  const keysFile = join(folder, 'keys.json');
  const env = {
    PATH: String(process.env['PATH']),
    HOME: folder,
    XDG_DATA_HOME: folder,
    XDG_CONFIG_HOME: folder,
    MCP_CONFIG: file,
    MULTI_USER: 'true',
    LOG_LEVEL: 'info',
  };
  const makeKey = async (name: string, scopes: readonly AccessScope[], reach: object = {}): Promise<string> =>
    (await addKey({ name, scopes, ...reach }, { file: keysFile, clock: () => new Date() })).key;
  const keys = {
    ann: await makeKey('ann', ['read', 'write'], { users: ['ann'] }),
    bob: await makeKey('bob', ['read', 'write'], { users: ['bob'] }),
    admin: await makeKey('admin', ['read', 'write', 'admin']),
  };
  const aggregator = await startHttpAggregator(file, { ...env, CONTEXTLOOM_KEYS_FILE: keysFile });
  const args = [serverFile, '--config', file, '--profile', 'all'];
  return {
    aggregator,
    keys,
    keysFile,
    program: { command: process.execPath, args, env },
    runExample: (example, model, { args: more = [], input = '' }) =>
      new Promise((resolve, reject) => {
        const path = join(root, 'shared/client/examples', example);
        const own = { CONTEXTLOOM_URL: aggregator.url.href, CONTEXTLOOM_KEY: keys.ann, MODEL: 'scripted' };
        const at = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: model.apiKey };
        const options = { env: { ...env, ...own, ...at } };
        const child = execFile(process.execPath, [path, ...more], options, (error, stdout, stderr) => {
          if (error === null) resolve(stdout);
          else reject(new Error(stderr, { cause: error }));
        });
        child.stdin?.end(input);
      }),
    close: async () => {
      await aggregator.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
