import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { ContextloomError } from '@contextloom/contracts';

/** Both `src/composition/` and `dist/composition/` lie four folders under the root of the installation. */
const rootUrl = new URL('../../../../', import.meta.url);

/** The folder that holds `services/` and `mcp_config.json`, as an absolute path. */
export const installationRoot = fileURLToPath(rootUrl);

/** The composition that comes with the product, as an absolute path. */
export const defaultConfigFile = fileURLToPath(new URL('mcp_config.json', rootUrl));

/** The folder of the demo's conversations. */
export const examplesFolder = new URL('services/cli/examples/', rootUrl);

/**
 * The absolute path of a service's built entry file.
 * @throws ContextloomError `unavailable` when the service has not been built
 */
export function entryFile(service: string, file: string): string {
  const path = fileURLToPath(new URL(`services/${service}/dist/${file}`, rootUrl));
  if (existsSync(path)) return path;
  throw new ContextloomError(
    'unavailable',
    `services/${service} is not built: run "npm ci" in ${installationRoot} and try again`,
  );
}
