import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { accessSettings } from '@contextloom/access';
import { installationRoot } from '@contextloom/mcp-client';
import { describe, expect, it } from '@jest/globals';

const services = [
  'persona',
  'knowledge-base',
  'memory-processor',
  'personal-memory',
  'typed-memory',
  'project-memory',
  'agent-memory',
];
/** What every server gets, and what only one that serves HTTP reads. */
const UNDECLARED =
  /^(LOG_LEVEL|PRIVACY_FILE|OTEL_EXPORTER_OTLP_ENDPOINT|ALLOWED_HOSTS|[A-Z_]+_TOKEN|PROJECT_MEMORY_(HOST|PORT))$/;
/** Who may call over HTTP; what calls another server of the house itself declares those of them that it shows itself by. */
const ACCESS = Object.values(accessSettings).flatMap(({ env }) => env);
/** Names a file of settings, which is read before the settings are. */
const BEFORE_SETTINGS = ['PERSONAL_MEMORY_CONFIG', 'TYPED_MEMORY_CONFIG'];

/** The variables that a server's help tells of. */
async function readHelp(service: string): Promise<readonly string[]> {
  const file = join(installationRoot, 'services', service, 'dist/server.js');
  const { stdout } = await promisify(execFile)(process.execPath, [file, '--help']);
  const [, environment = ''] = stdout.split('\nEnvironment:\n');
  return [...environment.matchAll(/^ {2}([A-Z][A-Z0-9_]*(?:, [A-Z][A-Z0-9_]*)*) /gm)].flatMap(([, names = '']) =>
    names.split(', '),
  );
}

describe.each(services)('the package.json of %s', (service) => {
  it('declares the variables that its server reads, which is what a composition hands it', async () => {
    const { contextloom } = JSON.parse(
      await readFile(join(installationRoot, 'services', service, 'package.json'), 'utf8'),
    );
    const declared: readonly string[] = contextloom.environment;
    const read = (await readHelp(service)).filter(
      (name) => !UNDECLARED.test(name) && (!ACCESS.includes(name) || declared.includes(name)),
    );
    expect(read.length).toBeGreaterThan(0);
    expect(declared.filter((name) => !BEFORE_SETTINGS.includes(name)).sort()).toEqual([...new Set(read)].sort());
  });
});

it.each(['knowledge-base', 'memory-processor', 'typed-memory'])(
  'hands %s what it shows itself by to the knowledge base',
  async (service) => {
    const text = await readFile(join(installationRoot, 'services', service, 'package.json'), 'utf8');
    const { environment } = JSON.parse(text).contextloom;
    expect(environment).toEqual(
      expect.arrayContaining(['KB_API_KEY', 'CONTEXTLOOM_KEYS_FILE', 'CONTEXTLOOM_HOUSE_SECRET']),
    );
  },
);
