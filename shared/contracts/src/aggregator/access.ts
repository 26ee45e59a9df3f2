import { z } from 'zod';
import { accessScopes } from '../values/access-scopes.ts';
import { identifier, userIdSchema } from '../values/identifiers.ts';

const reachSchema = z.union([z.literal('all'), z.array(z.string())]);

/** A key as lists show it: never its text, nor the hash of it. */
const shownKeySchema = z.object({
  name: z.string(),
  users: reachSchema.describe('The users that it reaches.'),
  projects: reachSchema.describe('The projects that it reaches.'),
  scopes: z.array(z.enum(accessScopes)),
  servers: z.array(z.string()).optional().describe('The servers that take it; all without it.'),
  created_at: z.string(),
  expires_at: z.string().optional(),
  is_expired: z.boolean(),
});

/** Ten years; what lasts longer is to be made without an end on purpose. */
const MAX_DAYS = 3_650;
const MAX_IDS = 100;

const ids = (one: z.ZodString, what: string) =>
  z.array(one).min(1).max(MAX_IDS).optional().describe(`The ${what} that it reaches; without users and projects, all.`);

const MAX_LENGTH = 256;

const inputSchema = z.object({
  user_id: userIdSchema.optional().describe('Only calls about this user.'),
  operation: z.string().max(MAX_LENGTH).optional().describe('Only calls whose operation has these characters.'),
  outcome: z.enum(['ok', 'failed']).optional(),
  limit: z.int().min(1).max(500).default(100),
});
const lineSchema = z.object({
  time: z.string(),
  who: z.string().describe('The key or the account that called.'),
  operation: z.string(),
  subjects: z.array(z.string()).describe('The users or projects that it was about.'),
  outcome: z.string().describe('"ok", or the code of the error.'),
});

/** The operations about who may call. */
export const accessOperations = {
  add_key: {
    input: z.object({
      name: z.string().describe('What it is called: 1 to 64 letters, digits, ".", "_" or "-".'),
      users: ids(userIdSchema, 'users'),
      projects: ids(identifier('A project.'), 'projects'),
      scopes: z.array(z.enum(accessScopes)).min(1).default(['read', 'write']),
      expires_in_days: z.int().min(1).max(MAX_DAYS).optional().describe('It never ends without it.'),
    }),
    output: z.object({ key: z.string().describe('Shown once: it is stored as a hash.'), stored: shownKeySchema }),
  },
  list_activity: { input: inputSchema, output: z.object({ calls: z.array(lineSchema) }) },
  list_keys: {
    input: z.object({}),
    output: z.object({
      asked: z.boolean().describe('Whether callers need a key: from the first one on.'),
      keys: z.array(shownKeySchema),
    }),
  },
  revoke_key: {
    input: z.object({ name: z.string().min(1).max(64) }),
    output: z.object({ name: z.string(), revoked: z.literal(true) }),
  },
} as const;
