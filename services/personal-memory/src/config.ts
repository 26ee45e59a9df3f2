import { isAbsolute, join } from 'node:path';
import { isTimeZone, userIdSchema } from '@contextloom/contracts';
import { embeddingSettings } from '@contextloom/llm';
import { databaseUrlSchema } from '@contextloom/postgres';
import { createConfigFileReader, type Flag, setting, userFolders, wholeNumber, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

const DEFAULT_FOLDER = join(userFolders.data, 'personal-memory');

/** Where memories are stored. */
const storeSettings = {
  engine: setting({
    env: ['PERSONAL_MEMORY_STORE'],
    schema: z.enum(['postgres', 'embedded']),
    description: 'What keeps the memories: embedded (files) or postgres; without it Postgres where DATABASE_URL is set',
  }),
  databaseUrl: setting({
    env: ['DATABASE_URL'],
    schema: databaseUrlSchema,
    secret: true,
    description: 'A Postgres database (15 or newer) that keeps the memories, instead of files',
  }),
  dbPath: setting({
    env: ['DB_PATH'],
    flag: { name: 'db-path', type: 'string' },
    file: ['database', 'path'],
    schema: z.string(),
    description: 'The database file; memory.db in PERSONAL_MEMORY_DATA_DIR when it is not given',
  }),
  dataDir: setting({
    env: ['PERSONAL_MEMORY_DATA_DIR'],
    // Clients start servers in any folder: a relative path would be another memory in each.
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the memories, an absolute path',
  }),
  encryptionKey: setting({
    env: ['DB_ENCRYPTION_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key with which the files are encrypted; it needs the package better-sqlite3-multiple-ciphers',
  }),
  storage: setting({
    env: ['STORAGE'],
    flag: { name: 'storage', type: 'string' },
    file: ['database', 'storage'],
    schema: z.enum(['shared', 'per-user']),
    default: 'shared' as const,
    description: 'shared: all users in one file; per-user: a file for each, in the folder of the database',
  }),
};

const backupSettings = {
  backupInterval: setting({
    env: ['BACKUP_INTERVAL'],
    file: ['database', 'backup_interval'],
    schema: wholeNumber(1, 31_536_000),
    default: 3_600,
    description: 'Seconds between two backups; nothing is copied when nothing changed',
  }),
  autoBackup: setting({
    env: ['AUTO_BACKUP'],
    file: ['features', 'auto_backup'],
    schema: yesOrNo,
    default: true,
    description: 'Whether to make backups automatically',
  }),
  backupDir: setting({
    env: ['BACKUP_DIR'],
    file: ['database', 'backup_path'],
    schema: z.string(),
    description: 'The folder of the backups; backups next to the database when it is not given',
  }),
  backupKeep: setting({
    env: ['BACKUP_KEEP'],
    file: ['database', 'backup_keep'],
    schema: wholeNumber(1, 10_000),
    default: 24,
    description: 'How many backups of a file to keep',
  }),
};

/** Settings from flags, the environment and the configuration file. */
export const personalMemorySettings = {
  ...storeSettings,
  userId: setting({
    env: ['USER_ID'],
    flag: { name: 'user-id', type: 'string' },
    file: ['server', 'default_user_id'],
    schema: userIdSchema,
    default: 'default',
    description: 'The user whose memory this server is; its tools then take no user_id',
  }),
  multiUser: setting({
    env: ['MULTI_USER'],
    flag: { name: 'multi-user', type: 'boolean' },
    file: ['server', 'multi_user'],
    schema: yesOrNo,
    default: false,
    description: 'Whether the server is for many users, each call naming its own',
  }),
  timezone: setting({
    env: ['TIMEZONE'],
    file: ['server', 'timezone'],
    schema: z.string().refine(isTimeZone, 'must be a time zone, such as UTC or Asia/Shanghai'),
    default: Intl.DateTimeFormat().resolvedOptions().timeZone,
    description: 'Where days, weeks and months begin',
  }),
  maxEvents: setting({
    env: ['MAX_EVENTS_PER_QUERY'],
    file: ['features', 'max_events_per_query'],
    schema: wholeNumber(1, 1_000),
    default: 100,
    description: 'The most events that one call lists',
  }),
  hasRelations: setting({
    env: ['ENABLE_ENTITY_RELATIONS'],
    file: ['features', 'enable_entity_relations'],
    schema: yesOrNo,
    default: true,
    description: 'Whether there are tools for relations between entities',
  }),
  serverName: setting({
    env: ['PERSONAL_MEMORY_SERVER_NAME'],
    file: ['server', 'name'],
    schema: z.string(),
    default: 'personal-memory',
    description: 'The name of the server that clients see',
  }),
  ...backupSettings,
  ...embeddingSettings,
};

/** Flags of the command line alone. */
export const personalMemoryFlags = {
  config: { type: 'string', description: 'A configuration file (JSON); PERSONAL_MEMORY_CONFIG names one as well' },
  restore: { type: 'string', description: 'Replace the database by this backup, and end' },
  export: {
    type: 'string',
    description: 'Write the memory to this .json or .csv file, and end; of all users with --multi-user',
  },
  migrate: {
    type: 'string',
    description:
      'Move the memories of all users from files to the database of DATABASE_URL (postgres), or back (sqlite), and end',
  },
  import: {
    type: 'string',
    description: 'Add this .json or .csv file, or a database of the reference program, and end',
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** Reads the configuration file that the flag or the environment names. */
export const readConfigFile = createConfigFileReader({ flag: 'config', variable: 'PERSONAL_MEMORY_CONFIG' });
