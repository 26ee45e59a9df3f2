import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ContextloomError } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';

/** The folder of the demo's conversations. */
export const examplesFolder = pathToFileURL(join(installationRoot, 'services/cli/examples/'));

/**
 * The absolute path of a service's built entry file.
 * @throws ContextloomError `unavailable` when the service has not been built
 */
export function entryFile(service: string, file: string): string {
  const path = join(installationRoot, 'services', service, 'dist', file);
  if (existsSync(path)) return path;
  throw new ContextloomError(
    'unavailable',
    `services/${service} is not built: run "npm ci" in ${installationRoot} and try again`,
  );
}
