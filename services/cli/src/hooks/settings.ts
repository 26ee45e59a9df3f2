import { join } from 'node:path';
import { setting, userFolders, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

/** What stands for every hook. */
export interface HookGlobals {
  /** The composition file, as given on the command line. */
  readonly config?: string | undefined;
}

/** Settings of the hooks. */
export const hookSettings = {
  hooksDir: setting({
    env: ['CONTEXTLOOM_HOOKS_DIR'],
    schema: z.string(),
    default: join(userFolders.data, 'hooks'),
    description: 'Where hooks keep what is still to be learnt, and their log',
  }),
  stores: setting({
    env: ['CONTEXTLOOM_STORE'],
    schema: yesOrNo,
    default: true,
    description:
      'Whether sessions are remembered; one that a client is started for without it is told the brief, and leaves nothing',
  }),
  hooksWorker: setting({
    env: ['CONTEXTLOOM_HOOKS_WORKER'],
    schema: yesOrNo,
    default: true,
    description: 'Whether hooks start a worker that learns at once; without it, "contextloom hook work" learns',
  }),
};
