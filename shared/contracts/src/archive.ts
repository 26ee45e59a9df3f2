import { z } from 'zod';
import { erasedSchema, unreachedSchema } from './forgetting.ts';
import type { DeepReadonly } from './values/deep-readonly.ts';
import { userIdSchema } from './values/identifiers.ts';

/** The tool by which a server says whose memories it has. */
export const LIST_USERS = 'list_users';
/** The tool by which a server hands out what it has of a user. */
export const EXPORT_USER = 'export_user';
/** The tool by which a server takes that in again. */
export const IMPORT_USER = 'import_user';

/** How long the lines of a page are that is not the last, in characters, give or take one record. */
export const PAGE_LENGTH = 1_000_000;
/** Longest lines that a call takes in, in characters: escaped, and in three bytes each, they fit into one message. */
export const MAX_LINES = 4_000_000;

/** Which users to list. */
export const listUsersSchema = z.object({
  after: userIdSchema.optional().describe('Only users whose id sorts after this one.'),
  limit: z.int().min(1).max(1_000).default(1_000).describe('Most users, 1 to 1000.'),
});

const userCountsSchema = z.object({
  user_id: z.string(),
  counts: z.array(erasedSchema).describe('How much there is of the user, by kind.'),
});
/** How much a server has of one user. */
export type UserCounts = DeepReadonly<z.output<typeof userCountsSchema>>;

/** The users of one server. */
export const listUsersAnswerSchema = z.object({
  users: z.array(userCountsSchema).describe('By id, in code unit order.'),
  bytes: z
    .int()
    .min(0)
    .optional()
    .describe('How large the files of the store are, all users together, where it has files.'),
  unreached: z
    .array(unreachedSchema)
    .optional()
    .describe('What the store has of others whom this server does not serve, and why; absent where it serves all.'),
});
/** One of {@link listUsersAnswerSchema}. */
export type ListUsersAnswer = DeepReadonly<z.output<typeof listUsersAnswerSchema>>;

/** The users of all servers of a composition. */
export const listAllUsersAnswerSchema = z.object({
  users: z
    .array(
      z.object({
        user_id: z.string(),
        stores: z.array(z.object({ server: z.string(), counts: z.array(erasedSchema) })),
        last_call_at: z
          .string()
          .optional()
          .describe(
            'When a call over HTTP was last about the user, ISO 8601 UTC; absent where none of the newest was.',
          ),
      }),
    )
    .describe('By id, in code unit order.'),
  stores: z.array(z.object({ server: z.string(), bytes: z.int().min(0).optional() })),
  unreached: z.array(unreachedSchema.extend({ server: z.string() })).describe('What could not be listed, and why.'),
});
/** One of {@link listAllUsersAnswerSchema}. */
export type ListAllUsersAnswer = DeepReadonly<z.output<typeof listAllUsersAnswerSchema>>;

/** Whom to export, page by page. */
export const exportUserSchema = z.object({
  user_id: userIdSchema.describe('The user to export.'),
  cursor: z.string().optional().describe('The next_cursor of the page before; without it the first page.'),
});

/** Records of a user as one server writes them, one a line; each can be imported by itself once those before it are. */
const linesFields = {
  format: z.string().describe('Names what the lines are.'),
  version: z.int().min(1).describe('The version of the format.'),
  lines: z.string().describe('JSON Lines: one record a line, each with its newline.'),
};

/** One page of an export. */
export const exportPageSchema = z.object({
  ...linesFields,
  next_cursor: z.string().optional().describe('Asks for the next page; absent on the last.'),
  unreached: z.array(unreachedSchema).describe('What belongs to the user, or may, and is not in the export.'),
});
/** One of {@link exportPageSchema}. */
export type ExportPage = DeepReadonly<z.output<typeof exportPageSchema>>;

/** One page of an export of a whole composition: records of one server. */
export const exportEverywherePageSchema = exportPageSchema.extend({
  server: z.string().describe('Which server the lines are of; empty where there are none.'),
  service: z.string().describe('Which service that is.'),
  unreached: z.array(unreachedSchema.extend({ server: z.string() })),
});
/** One of {@link exportEverywherePageSchema}. */
export type ExportEverywherePage = DeepReadonly<z.output<typeof exportEverywherePageSchema>>;

/** Lines to take in. */
export const importUserSchema = z.object({
  user_id: userIdSchema.describe('Whose they are.'),
  ...linesFields,
  lines: linesFields.lines.max(MAX_LINES, `must be at most ${MAX_LINES} characters`),
});

/** Lines for one server of a composition. */
export const importEverywhereSchema = importUserSchema.extend({
  server: z.string().describe('The server that wrote them; without it another of the same service takes them.'),
  service: z.string().describe('The service that wrote them.'),
});

/** What became of lines. */
export const importReportSchema = z.object({
  imported: z.int().min(0).describe('Records that are new here.'),
  known: z.int().min(0).describe('Records that were here already.'),
  refused: z
    .array(z.object({ record: z.string(), problem: z.string() }))
    .describe('The first hundred records that were not taken in, and why.'),
  refused_count: z.int().min(0),
});
/** One of {@link importReportSchema}. */
export type ImportReport = DeepReadonly<z.output<typeof importReportSchema>>;

/** What the lines of an export of documents are. */
export const DOCUMENT_LINES = { format: 'contextloom-documents', version: 1 } as const;
