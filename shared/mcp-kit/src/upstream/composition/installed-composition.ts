import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The nearest folder above a file that holds `mcp_config.json`; sources, built modules and bundles lie at different depths. */
function findRoot(file: string): string {
  for (let folder = dirname(file); folder !== dirname(folder); folder = dirname(folder)) {
    if (existsSync(join(folder, 'mcp_config.json'))) return folder;
  }
  return dirname(file);
}

/** The folder that holds `services/` and `mcp_config.json` of the installation, as an absolute path. */
export const installationRoot = findRoot(fileURLToPath(import.meta.url));

/**
 * The `mcp_config.json` of the installation, as an absolute path. Clients start servers in folders of their choice, so a default
 * that starts at the working folder would be another file for each of them.
 */
export const installedComposition = join(installationRoot, 'mcp_config.json');
