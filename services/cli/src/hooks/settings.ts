import { join } from 'node:path';
import { setting, userFolders } from '@contextloom/runtime';
import { z } from 'zod';

/** Settings of the hooks. */
export const hookSettings = {
  hooksDir: setting({
    env: ['CONTEXTLOOM_HOOKS_DIR'],
    schema: z.string(),
    default: join(userFolders.data, 'hooks'),
    description: 'Where hooks keep what is still to be learnt, and their log',
  }),
};
