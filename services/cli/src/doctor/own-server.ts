import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { installationRoot, type ServerEntry } from '@contextloom/mcp-client';

const services = join(installationRoot, 'services');

/** Matches `<service>/dist/server.js`, a path relative to the folder of services. */
function isServerFile(path: string): boolean {
  const [service = '', ...rest] = relative(services, path).split(sep);
  return service !== '..' && rest.join('/') === 'dist/server.js';
}

/** The entry file of the service of this installation that an entry starts, built or not; undefined for anything else. */
export function findOwnScript(entry: ServerEntry): string | undefined {
  if ('url' in entry) return undefined;
  const paths = entry.args.map((arg) => resolve(entry.cwd, arg));
  // A composition may lie, or lead, elsewhere through a symbolic link.
  return paths.find((path) => isServerFile(path) || (existsSync(path) && isServerFile(realpathSync(path))));
}
