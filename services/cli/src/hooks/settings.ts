import { join } from 'node:path';
import { setting, userFolders, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

/** Settings of the hooks. */
export const hookSettings = {
  hooksDir: setting({
    env: ['CONTEXTLOOM_HOOKS_DIR'],
    schema: z.string(),
    default: join(userFolders.data, 'hooks'),
    description: 'Where hooks keep what is still to be learnt, and their log',
  }),
  hooksWorker: setting({
    env: ['CONTEXTLOOM_HOOKS_WORKER'],
    schema: yesOrNo,
    default: true,
    description: 'Whether hooks start a worker that learns at once; without it, "contextloom hook work" learns',
  }),
};
