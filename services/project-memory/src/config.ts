import { isAbsolute, join } from 'node:path';
import { identifier } from '@contextloom/contracts';
import { chatModelSettings, embeddingSettings, rerankSettings } from '@contextloom/llm';
import { type Flag, setting, userFolders } from '@contextloom/runtime';
import { z } from 'zod';
import { layouts } from './store/postgres/schema/layout.ts';

const PORT = 'must be a port, 0 to 65535';
const DATABASE_URL = 'must be an address such as postgres://user:password@127.0.0.1:5432/contextloom';
const DEFAULT_FOLDER = join(userFolders.data, 'project-memory');

/** What the project memory takes from the environment. */
export const projectMemorySettings = {
  dataDir: setting({
    env: ['PROJECT_MEMORY_DATA_DIR'],
    // Clients start servers in folders of their choice: a relative one would be another store for each of them.
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the SQLite database, an absolute path; servers that name the same one share it',
  }),
  databaseUrl: setting({
    env: ['DATABASE_URL'],
    schema: z.url({ protocol: /^postgres(?:ql)?$/, error: DATABASE_URL }),
    secret: true,
    description: 'A Postgres server (15 or newer) that keeps the memories, instead of the folder',
  }),
  layout: setting({
    env: ['PROJECT_MEMORY_LAYOUT'],
    schema: z.enum(layouts),
    description: 'How tables are made in an empty Postgres database: plain, partitioned by owner, or citus',
  }),
  ownerId: setting({
    env: ['OWNER_ID'],
    schema: identifier('The owner.'),
    default: 'personal',
    description: 'Whose memories these are; calls that name another owner are refused',
  }),
  token: setting({
    env: ['PROJECT_MEMORY_TOKEN'],
    schema: z.string().regex(/^\S{8,}$/, 'must be at least 8 characters without spaces'),
    secret: true,
    description: 'Callers over HTTP must send it as a bearer token',
  }),
  toolNames: setting({
    env: ['TOOL_NAMES'],
    schema: z.enum(['dotted', 'underscore']),
    default: 'dotted' as const,
    description: 'dotted: mem.search; underscore: mem_search, for models that take no dots',
  }),
  host: setting({
    env: ['PROJECT_MEMORY_HOST'],
    schema: z.string(),
    default: '127.0.0.1',
    description: 'The address that --http listens on',
  }),
  port: setting({
    env: ['PROJECT_MEMORY_PORT'],
    schema: z.coerce.number(PORT).int(PORT).min(0, PORT).max(65_535, PORT),
    default: 8787,
    description: 'The port that --http listens on',
  }),
  ...embeddingSettings,
  ...chatModelSettings,
  ...rerankSettings,
};

/** What the project memory takes from the command line. */
export const projectMemoryFlags = {
  doctor: { type: 'boolean', description: 'Look for rows that do not fit each other, mend them, and end' },
  export: { type: 'string', description: 'Write all memories of the owner to this file as JSON Lines, and end' },
  import: { type: 'string', description: 'Add what such a file has to the memories, and end' },
  migrate: {
    type: 'string',
    description:
      'Copy the memories of all owners from the folder to the server of DATABASE_URL (postgres), or back (sqlite), and end',
  },
  reembed: { type: 'boolean', description: 'Make all vectors again with the embedder that is set, and end' },
} as const satisfies Readonly<Record<string, Flag>>;
