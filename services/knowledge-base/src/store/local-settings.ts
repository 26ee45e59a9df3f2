import { isAbsolute, join } from 'node:path';
import { setting, userFolders } from '@contextloom/runtime';
import { z } from 'zod';

const DEFAULT_FOLDER = join(userFolders.data, 'knowledge-base');
const CACHE = 'must be a whole number of mebibytes from 0 to 65536';

/** The settings of what an engine keeps on this machine. */
export const localSettings = {
  dataDir: setting({
    env: ['KB_DATA_DIR'],
    // Clients start servers in folders of their choice: a relative path would mean another store for each client.
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the store, or of the index of one on a Chroma server; an absolute path',
  }),
  cacheMb: setting({
    env: ['KB_CACHE_MB'],
    schema: z.coerce.number(CACHE).int(CACHE).min(0, CACHE).max(65_536, CACHE),
    default: 384,
    description: 'Most mebibytes of its index that the store in KB_DATA_DIR keeps in memory, all threads together',
  }),
};
