import { fileURLToPath } from 'node:url';
import { type Flag, setting } from '@contextloom/mcp-kit';
import { z } from 'zod';

/** What the persona service takes from the environment, and the command line as well. */
export const personaSettings = {
  personasDir: setting({
    env: ['PERSONAS_DIR'],
    flag: { name: 'personas', type: 'string' },
    schema: z.string().min(1, 'must be a folder'),
    default: fileURLToPath(new URL('../personas', import.meta.url)),
    description: 'The folder of personas; without it those that come with the service',
  }),
};

/** What the persona service takes from the command line alone. */
export const personaFlags = {
  persona: { type: 'string', description: 'The persona to serve, e.g. uozumi' },
} as const satisfies Readonly<Record<string, Flag>>;
