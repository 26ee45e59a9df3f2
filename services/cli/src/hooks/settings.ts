import { dirname, join } from 'node:path';
import { accessSettings } from '@contextloom/access';
import { setting } from '@contextloom/runtime';
import { z } from 'zod';

/** Settings of the hooks. */
export const hookSettings = {
  hooksDir: setting({
    env: ['CONTEXTLOOM_HOOKS_DIR'],
    schema: z.string(),
    default: join(dirname(accessSettings.keysFile.default), 'hooks'),
    description: 'Where hooks keep what is still to be learnt, and their log',
  }),
};
