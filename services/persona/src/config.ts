import { type Flag, setting } from '@contextloom/mcp-kit';
import { z } from 'zod';

/** What the persona service takes from the environment. */
export const personaSettings = {
  personasDir: setting({
    env: ['PERSONAS_DIR'],
    schema: z.string(),
    description:
      'The folder of personas, if --personas does not name one (default: the personas shipped with the service)',
  }),
};

/** What the persona service takes from the command line. */
export const personaFlags = {
  persona: { type: 'string', description: 'The persona to serve, e.g. uozumi' },
  personas: { type: 'string', description: 'The folder of personas' },
} as const satisfies Readonly<Record<string, Flag>>;
