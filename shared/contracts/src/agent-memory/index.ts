import { z } from 'zod';
import { LANGUAGES } from '../languages.ts';
import {
  archiveReportSchema,
  contextAnswerSchema,
  dailyLogSchema,
  deletedSchema,
  entryPageSchema,
  entrySchema,
  identitySchema,
  initSchema,
  ownerSchema,
  rebuiltSchema,
  searchAnswerSchema,
  spiritSchema,
  statusSchema,
  summarySchema,
  toolSchema,
} from './answers.ts';
import { dateSchema } from './dates.ts';
import { ownerPatchSchema, spiritPatchSchema } from './identity.ts';
import {
  addSchema,
  archiveSchema,
  contextSchema,
  listSchema,
  oneEntrySchema,
  searchSchema,
  similarSchema,
  toolNameSchema,
  toolSwitchSchema,
  updateSchema,
} from './requests.ts';

export type * from './answers.ts';
export { entrySchema } from './answers.ts';
export { dateSchema, isDate } from './dates.ts';
export { type ContentType, contentSchema, labelSchema } from './entry.ts';
export type { OwnerPatch, SpiritPatch } from './identity.ts';
export type * from './requests.ts';
export { sectionNames } from './requests.ts';

/** What the operations of agent memory take and answer. */
export const agentMemory = {
  add_entry: { input: addSchema, output: entrySchema },
  delete_entry: { input: oneEntrySchema, output: deletedSchema },
  find_similar_entries: { input: similarSchema, output: searchAnswerSchema },
  get_daily_log: { input: z.object({ date: dateSchema }), output: dailyLogSchema },
  get_entry: { input: oneEntrySchema, output: entrySchema },
  list_entries: { input: listSchema, output: entryPageSchema },
  search_entries: { input: searchSchema, output: searchAnswerSchema },
  update_entry: { input: oneEntrySchema.extend(updateSchema.shape), output: entrySchema },
  get_identity_status: { input: z.object({}), output: statusSchema },
  get_identity: { input: z.object({}), output: identitySchema },
  get_owner: { input: z.object({}), output: ownerSchema },
  get_spirit: { input: z.object({}), output: spiritSchema },
  init_identity: {
    input: z.object({
      language: z
        .enum(LANGUAGES)
        .optional()
        .describe('The language of their headings; that of the workspace when absent.'),
    }),
    output: initSchema,
  },
  list_tools: { input: z.object({}), output: z.object({ items: z.array(toolSchema), total: z.number().int() }) },
  set_tool_enabled: { input: toolSwitchSchema.extend({ name: toolNameSchema }), output: toolSchema },
  update_identity: {
    input: z
      .object({ spirit: spiritPatchSchema.optional(), owner: ownerPatchSchema.optional() })
      .refine(({ spirit, owner }) => spirit !== undefined || owner !== undefined, 'must have spirit, owner or both'),
    output: identitySchema,
  },
  update_owner: { input: ownerPatchSchema, output: ownerSchema },
  update_spirit: { input: spiritPatchSchema, output: spiritSchema },
  load_context: { input: contextSchema, output: contextAnswerSchema },
  reload_context: { input: contextSchema, output: contextAnswerSchema },
  archive_entries: { input: archiveSchema, output: archiveReportSchema },
  rebuild_index: { input: z.object({}), output: rebuiltSchema },
  summarize_day: {
    input: z.object({ date: dateSchema.optional().describe('The day; today when absent.') }),
    output: summarySchema,
  },
} as const;
/** One of {@link agentMemory}. */
export type AgentMemoryContract = typeof agentMemory;
