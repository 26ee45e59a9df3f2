import { isTimeZone, userIdSchema } from '@contextloom/contracts';
import { MAX_SEARCH_LIMIT, memoryTypeNameSchema } from '@contextloom/contracts/typed-memory';
import { knowledgeClientSettings } from '@contextloom/knowledge-client';
import { chatModelSettings } from '@contextloom/llm';
import {
  createConfigFileReader,
  type Flag,
  type SettingValues,
  setting,
  wholeNumber,
  yesOrNo,
} from '@contextloom/runtime';
import { z } from 'zod';
import { mirixGenerations } from './store/mirix/mirix-api.ts';

/** The model that answers memory_chat. */
const modelSettings = {
  ...chatModelSettings,
  llmModel: setting({
    ...chatModelSettings.llmModel,
    env: ['LLM_MODEL', 'AI_MODEL'],
    file: ['ai_model'],
    description:
      'The model that answers memory_chat and sums up profiles; without it, a key or an address there is no chat',
  }),
};

const vaultSettings = {
  vaultKey: setting({
    env: ['MEMORY_VAULT_KEY'],
    schema: z.string(),
    secret: true,
    description:
      'The key of the knowledge vault, 32 bytes in base64; without it (and the file) one is made for the first secret',
  }),
  vaultKeyFile: setting({
    env: ['MEMORY_VAULT_KEY_FILE'],
    schema: z.string(),
    description: 'A file with that key, readable by its owner alone (mode 0600)',
  }),
  vaultOldKey: setting({
    env: ['MEMORY_VAULT_OLD_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key before it, still accepted for reading; --rotate-vault-key seals everything with the new one',
  }),
};

const mirixSettings = {
  mirixUrl: setting({
    env: ['MIRIX_BACKEND_URL'],
    file: ['mirix_backend_url'],
    schema: z.url({ protocol: /^https?$/u, error: 'must be an http or https address, such as http://127.0.0.1:8531' }),
    description: 'A MIRIX server that keeps the memories in place of the knowledge base',
  }),
  mirixApiKey: setting({
    env: ['MIRIX_API_KEY'],
    schema: z.string(),
    secret: true,
    description: 'Its key; the older desktop backend has none',
  }),
  mirixApi: setting({
    env: ['MIRIX_API'],
    schema: z.enum(['auto', ...mirixGenerations], 'must be auto, server or desktop'),
    default: 'auto' as const,
    description: 'Which generation it is: the current server, or the older desktop backend; auto detects it',
  }),
  mirixTimeoutMs: setting({
    env: ['MIRIX_TIMEOUT_MS'],
    schema: wholeNumber(100, 300_000, 'milliseconds'),
    default: 60_000,
    description: 'How long one call of it may take, in milliseconds; its own model reads what is added meanwhile',
  }),
  mirixAgentConfig: setting({
    env: ['MIRIX_AGENT_CONFIG'],
    schema: z.string(),
    description:
      "A JSON file with the config of MIRIX's agent, for a server that has none yet; OpenAI's models without it",
  }),
};

/** What typed memory takes from the environment, and some of it from its configuration file. */
export const settings = {
  userId: setting({
    env: ['DEFAULT_USER_ID'],
    file: ['default_user_id'],
    schema: userIdSchema,
    default: 'default',
    description: 'The user of this server; callers cannot name another one',
  }),
  multiUser: setting({
    env: ['MULTI_USER'],
    flag: { name: 'multi-user', type: 'boolean' },
    schema: yesOrNo,
    default: false,
    description: 'Whether the server is for many users, each call naming its own',
  }),
  defaultType: setting({
    env: ['DEFAULT_MEMORY_TYPE'],
    file: ['memory_settings', 'default_memory_type'],
    schema: memoryTypeNameSchema,
    default: 'semantic' as const,
    description: 'The type of a memory without a type, if none is proposed',
  }),
  searchLimit: setting({
    env: ['MEMORY_SEARCH_LIMIT'],
    file: ['memory_settings', 'search_limit'],
    schema: wholeNumber(1, MAX_SEARCH_LIMIT),
    default: 10,
    description: `How many results a search returns by default, 1 to ${MAX_SEARCH_LIMIT}`,
  }),
  autoCategorize: setting({
    env: ['AUTO_CATEGORIZE_MEMORY'],
    file: ['memory_settings', 'auto_categorize'],
    schema: yesOrNo,
    default: true,
    description: 'Whether a type is proposed for memories that come without one, or with one that is plainly wrong',
  }),
  timeZone: setting({
    env: ['TIMEZONE'],
    schema: z.string().refine(isTimeZone, 'must be the name of a time zone, such as UTC or Asia/Shanghai'),
    default: Intl.DateTimeFormat().resolvedOptions().timeZone,
    description: 'The time zone of days and hours in texts (IANA)',
  }),
  personaFile: setting({
    env: ['CHAT_PERSONA_FILE'],
    schema: z.string(),
    description: 'A Markdown file with the persona that memory_chat answers as',
  }),
  historyTokens: setting({
    env: ['CHAT_HISTORY_TOKENS'],
    schema: wholeNumber(0, 100_000, 'tokens'),
    default: 2_000,
    description: 'How much of a conversation memory_chat remembers word for word, in tokens',
  }),
  httpToken: setting({
    env: ['TYPED_MEMORY_TOKEN'],
    schema: z.string(),
    secret: true,
    description: 'With --http: callers must send it as a bearer token',
  }),
  ...modelSettings,
  ...vaultSettings,
  ...mirixSettings,
  ...knowledgeClientSettings,
};

/** What the server takes from the command line. */
export const flags = {
  config: { type: 'string', description: 'The composition file (default: MCP_CONFIG, or that of the installation)' },
  settings: { type: 'string', description: 'A file with settings (JSON); TYPED_MEMORY_CONFIG names one as well' },
  'rotate-vault-key': {
    type: 'boolean',
    description: "Seal the user's vault items with MEMORY_VAULT_KEY, opening them with MEMORY_VAULT_OLD_KEY, and end",
  },
} as const satisfies Readonly<Record<string, Flag>>;

const value = z.unknown().optional();
const fileSchema = z.strictObject({
  default_user_id: value,
  ai_model: value,
  memory_settings: z
    .strictObject({ auto_categorize: value, default_memory_type: value, search_limit: value })
    .optional(),
  mirix_backend_url: value,
});

/** Reads the configuration file that the flag or the environment names. */
export const readConfigFile = createConfigFileReader({
  flag: 'settings',
  variable: 'TYPED_MEMORY_CONFIG',
  schema: fileSchema,
});

/** The settings, read. */
export type Config = SettingValues<typeof settings>;
