import { isAbsolute, join, resolve } from 'node:path';
import { isTimeZone, LANGUAGES } from '@contextloom/contracts';
import { chatModelSettings, embeddingSettings } from '@contextloom/llm';
import { setting, userFolders, yesOrNo } from '@contextloom/runtime';
import { z } from 'zod';

const DEFAULT_FOLDER = join(userFolders.data, 'agent-memory');
// Clients start servers in folders of their choice: a relative one would be another for each of them.
const absolute = (example: string) => z.string().refine(isAbsolute, `must be an absolute path, such as ${example}`);
/** A folder on the command line, relative to the caller's own. */
const folderSchema = z
  .string()
  .min(1, 'must be a folder')
  .transform((folder) => resolve(folder));

/** What the agent memory takes from the environment and the command line. */
export const agentMemorySettings = {
  workspace: setting({
    env: ['AGENT_MEMORY_WORKSPACE'],
    flag: { name: 'workspace', type: 'string', schema: folderSchema },
    schema: absolute('/home/ann/agent'),
    default: join(DEFAULT_FOLDER, 'workspace'),
    description: 'The folder of SPIRIT.md, OWNER.md, TOOLS.md, MEMORY.md and memory/',
  }),
  multiUser: setting({
    env: ['AGENT_MEMORY_MULTI_USER'],
    flag: { name: 'multi-user', type: 'boolean' },
    schema: yesOrNo,
    default: false,
    description: 'Whether the server is for many users: each call names its own, who has a workspace of their own',
  }),
  workspaces: setting({
    env: ['AGENT_MEMORY_WORKSPACES'],
    schema: absolute('/home/ann/agents'),
    default: join(DEFAULT_FOLDER, 'workspaces'),
    description:
      'With --multi-user the folder of the workspaces, one for each user; that of AGENT_MEMORY_USER_ID stays in AGENT_MEMORY_WORKSPACE',
  }),
  dataDir: setting({
    env: ['AGENT_MEMORY_DATA_DIR'],
    schema: absolute(DEFAULT_FOLDER),
    default: DEFAULT_FOLDER,
    description: 'The folder of the index that is derived from the files, an absolute path',
  }),
  readOnly: setting({
    env: ['AGENT_MEMORY_READ_ONLY'],
    schema: z
      .enum(['true', 'false', '1', '0'], 'must be true or false')
      .transform((text) => text === 'true' || text === '1'),
    default: false as boolean,
    description: 'true: the files are never written, not even ids into them',
  }),
  timezone: setting({
    env: ['AGENT_MEMORY_TIMEZONE', 'TIMEZONE'],
    schema: z.string().refine(isTimeZone, 'must be a time zone, such as Asia/Shanghai'),
    default: Intl.DateTimeFormat().resolvedOptions().timeZone,
    description: "The time zone whose day today's log is of",
  }),
  language: setting({
    env: ['AGENT_MEMORY_LANGUAGE'],
    schema: z.enum(['auto', ...LANGUAGES]),
    default: 'auto' as const,
    description: `The language of headings that are written: auto (that of the files), ${LANGUAGES.join(' or ')}; all are read`,
  }),
  session: setting({
    env: ['AGENT_MEMORY_SESSION'],
    schema: z.enum(['owner', 'shared']),
    default: 'owner' as const,
    description: 'shared: whatever calls say, MEMORY.md is neither read nor written',
  }),
  summaries: setting({
    env: ['AGENT_MEMORY_SUMMARIES'],
    schema: z.enum(['asked', 'daily']),
    default: 'asked' as const,
    description:
      'daily: the summary of a day is written when it ends, unless it has one; asked: when a tool asks for it',
  }),
  userId: setting({
    env: ['AGENT_MEMORY_USER_ID'],
    schema: z.string().trim().min(1).max(200).optional(),
    default: undefined,
    description:
      'Whose workspace it is: callers that reach other users only are refused, and a gateway shows its lines to no other user',
  }),
  ...embeddingSettings,
  ...chatModelSettings,
};
