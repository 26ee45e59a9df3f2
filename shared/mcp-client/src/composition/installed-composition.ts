import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { userFolders } from '@contextloom/runtime';

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

/**
 * The folder where a reader's own composition and `.env` lie: a clone of the repository is the reader's, an installed package is
 * replaced by its next version.
 * @param root the folder of the installation
 * @param configFolder the folder for configuration files of the user
 */
export function toOwnFolder(root: string, configFolder: string): string {
  return root.split(/[\\/]/).includes('node_modules') ? configFolder : root;
}

/** The composition that the user changes, whether it is there or not; in a clone that is the one of the installation. */
export const ownComposition = join(toOwnFolder(installationRoot, userFolders.config), 'mcp_config.json');

/** The composition without a word about one: the user's own where there is one, else that of the installation. */
export const defaultComposition = existsSync(ownComposition) ? ownComposition : installedComposition;
