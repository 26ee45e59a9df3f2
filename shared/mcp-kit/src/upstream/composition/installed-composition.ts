import { fileURLToPath } from 'node:url';

/**
 * The `mcp_config.json` of the installation, as an absolute path. Clients start servers in folders of their choice, so a default
 * that starts at the working folder would be another file for each of them. `src/` and `dist/` lie equally deep under the root.
 */
export const installedComposition = fileURLToPath(new URL('../../../../../mcp_config.json', import.meta.url));
