import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { entryFile } from '../composition/installation.ts';

/** What the demo's composition is made from. */
export interface DemoComposition {
  readonly folder: string;
  readonly personas: readonly string[];
  readonly kbUrl: string;
  readonly execPath: string;
  readonly logLevel: string;
}

/** Long enough for a slow machine: a prompt without its memories would show nothing. */
const SOURCE_DEADLINE_MS = 60_000;

/**
 * Writes the demo's own `mcp_config.json`, so that the demo shows the same thing whatever the user's composition says.
 * @returns the file's path
 */
export async function writeComposition(options: DemoComposition): Promise<string> {
  const { folder, personas, kbUrl, execPath, logLevel } = options;
  const server = (service: string, args: readonly string[] = []) => ({
    command: execPath,
    args: [entryFile(service, 'server.js'), ...args],
    env: { KB_URL: kbUrl, LOG_LEVEL: logLevel },
    cwd: folder,
  });
  const mcpServers = {
    ...Object.fromEntries(personas.map((name) => [`persona-${name}`, server('persona', ['--persona', name])])),
    'knowledge-base': server('knowledge-base'),
    'memory-processor': server('memory-processor'),
  };
  const file = join(folder, 'mcp_config.json');
  const aggregator = { source_deadline_ms: SOURCE_DEADLINE_MS };
  await writeFile(file, `${JSON.stringify({ mcpServers, aggregator }, null, 2)}\n`);
  return file;
}
