import { z } from 'zod';
import { identifier, userIdSchema } from './values/identifiers.ts';

/** One decision about a new fact: what it repeats, replaces or corrects. Times are ISO 8601 UTC. */
export const decisionSchema = z.object({
  id: z.string(),
  relation: z.enum(['same', 'replaces', 'corrects']),
  fact: z.string().describe('The fact that was new.'),
  known: z.string().describe('The fact that was known.'),
  evidence: z.string().describe('Where the new fact was said: transcript and turns.'),
  decided_by: z.string().describe('The model, or "rules".'),
  prompt_version: z.string(),
  decided_at: z.string(),
  undone_at: z.string().optional(),
});
/** Arguments of `list_decisions`. */
export const listDecisionsRequestSchema = z.object({ user_id: userIdSchema });
/** The answer of `list_decisions`, newest first. */
export const listDecisionsResponseSchema = z.object({ success: z.literal(true), decisions: z.array(decisionSchema) });
/** Arguments of `undo_decision`. */
export const undoDecisionRequestSchema = z.object({
  user_id: userIdSchema,
  decision_id: identifier('Id of the decision, as list_decisions gives it.'),
});
/** The answer of `undo_decision`. */
export const undoDecisionResponseSchema = z.object({ success: z.literal(true), decision: decisionSchema });
