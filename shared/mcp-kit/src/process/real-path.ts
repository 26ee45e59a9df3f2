import { existsSync, realpathSync } from 'node:fs';

/** A path without symbolic links where there is something at it, else as it stands: a folder may be reached by several names. */
export const toRealPath = (path: string): string => (existsSync(path) ? realpathSync(path) : path);
