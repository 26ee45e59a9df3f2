import { join } from 'node:path';
import { installationRoot } from '@contextloom/mcp-client';
import { type Flag, setting } from '@contextloom/runtime';
import { z } from 'zod';

/** The folder of the personas that come with the service. */
export const BUILT_IN_PERSONAS = join(installationRoot, 'services', 'persona', 'personas');

/** Settings from the environment or the command line. */
export const personaSettings = {
  personasDir: setting({
    env: ['PERSONAS_DIR'],
    flag: { name: 'personas', type: 'string' },
    schema: z.string().min(1, 'must be a folder'),
    description:
      'A folder of personas of your own, next to those that come with the service; the same name takes its place',
  }),
};

/** Flags of the command line alone. */
export const personaFlags = {
  persona: { type: 'string', description: 'The persona to serve, e.g. uozumi' },
} as const satisfies Readonly<Record<string, Flag>>;
