import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { expect, it } from '@jest/globals';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const read = async (file: string) => parse(await readFile(`${root}deploy/kubernetes/${file}`, 'utf8'));

describeWithPostgres('the server of the manifests', (postgres) => {
  it('waits for the migration, asks for keys, and tells probes that it is ready', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'contextloom-deployed-'));
    const composition = JSON.parse((await read('composition.yaml')).data['mcp_config.json'].replaceAll('/app/', root));
    const file = join(folder, 'mcp_config.json');
    await writeFile(file, JSON.stringify(composition));
    const url = await createDatabase(postgres());
    const secrets = { DATABASE_URL: url, CONTEXTLOOM_KEYS_URL: url, CONTEXTLOOM_HOUSE_SECRET: 's'.repeat(40) };
    const { template } = (await read('server.yaml')).spec;
    const [server] = template.spec.containers;
    const [check] = template.spec.initContainers;
    const [migrate] = (await read('migrate.yaml')).spec.template.spec.containers;
    const start = (container: {
      readonly args: readonly string[];
      readonly env: readonly Record<string, string>[];
    }) => {
      const given = container.env.flatMap(({ name = '', value }) => (value === undefined ? [] : [[name, value]]));
      const env = { ...process.env, ...Object.fromEntries(given), ...secrets, HOME: folder, LOG_LEVEL: 'info' };
      const own = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
      const args = container.args.map((arg) => (arg === '/config/mcp_config.json' ? file : arg === '8010' ? '0' : arg));
      const local = args.map((arg) => (arg === '0.0.0.0' ? '127.0.0.1' : arg));
      return spawn(process.execPath, local, {
        cwd: root,
        env: { ...env, ...own },
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    };
    const codeOf = async (container: typeof server): Promise<number> => (await once(start(container), 'exit'))[0];
    try {
      expect(await codeOf(check)).toBe(1);
      expect(await codeOf(migrate)).toBe(0);
      expect(await codeOf(check)).toBe(0);
      const child = start(server);
      try {
        const address = await new Promise<string>((resolve, reject) => {
          child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
          createInterface({ input: child.stderr }).on('line', (line) => {
            const shown = line.startsWith('{') ? (JSON.parse(line) as { readonly url?: string }).url : undefined;
            if (shown?.endsWith('/mcp') === true) resolve(shown);
          });
        });
        for (const probe of ['startupProbe', 'livenessProbe', 'readinessProbe']) {
          const { path } = server[probe].httpGet;
          expect([probe, (await fetch(new URL(path, address))).status]).toEqual([probe, 200]);
        }
      } finally {
        const ended = once(child, 'exit');
        if (child.kill('SIGTERM')) await ended;
      }
    } finally {
      await rm(folder, { recursive: true, maxRetries: 5 });
    }
  }, 180_000);
});
