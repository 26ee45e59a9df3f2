import { isWellFormed, userIdSchema } from '@contextloom/contracts';
import { z } from 'zod';
import type { StoredMemory } from '../domain/memory.ts';
import { memoryTypeNameSchema, memoryTypes } from '../domain/memory-type.ts';
import type { RecalledMemory } from '../domain/recall.ts';

/** The user that a server is bound to: never a parameter that clients see. */
export const boundUser = { user_id: userIdSchema };

/** A text that says something. */
export function text(max: number) {
  return z
    .string()
    .max(max, `must be at most ${max} characters`)
    .refine((given) => given.trim() !== '', 'must not be empty')
    .refine(isWellFormed, 'contains a lone surrogate');
}

/** Which types a call is about. */
export const memoryTypesSchema = z.array(memoryTypeNameSchema).max(12, 'must be at most 12 types').optional();

/** One of the six types, in answers. */
export const typeSchema = z.enum(memoryTypes);

/** How many memories there are of each type that was asked for. */
export const countsSchema = z.object({
  core: z.int().optional(),
  episodic: z.int().optional(),
  semantic: z.int().optional(),
  procedural: z.int().optional(),
  resource: z.int().optional(),
  knowledge_vault: z.int().optional(),
});

/** Names one memory. */
export const memoryIdField = { memory_id: text(256).describe('The memory_id that a search or a list gave.') };

/** A memory as answers show it. */
export const memorySchema = z.object({
  memory_id: z.string(),
  type: typeSchema,
  content: z.string().describe('Its words; of a vault item that is not revealed its label.'),
  score: z.number().optional().describe('0 to 1, higher is better.'),
  relevance: z
    .number()
    .optional()
    .describe('Of a search: how much of what is asked it tells, 0 to 1; the same in every store.'),
  context: z.string().optional(),
  importance: z.number().optional().describe('1 to 10.'),
  occurred_at: z.string().optional().describe('When it happened, ISO 8601 UTC.'),
  created_at: z.string().optional(),
  updated_at: z.string().optional(),
  title: z.string().optional(),
  kind: z.string().optional(),
  location: z.string().optional(),
  concept: z.string().optional(),
  definition: z.string().optional(),
  steps: z.array(z.string()).optional(),
  previous: z
    .array(z.object({ content: z.string(), until: z.string() }))
    .optional()
    .describe('What the fact said before, newest first.'),
  is_passage: z.boolean().optional().describe('Whether content is a part of a longer text.'),
  label: z.string().optional().describe('Of a vault item.'),
  revealed: z.boolean().optional().describe('Whether content is the secret of a vault item, or its label.'),
});

/** Shows a memory; what is undefined is left out of JSON. */
export function toShown(memory: RecalledMemory | StoredMemory): z.input<typeof memorySchema> {
  const { id, type, content, context, importance, occurredAt, createdAt, updatedAt, previous, details = {} } = memory;
  const { steps, definition, ...named } = details;
  return {
    memory_id: id,
    type,
    content,
    ...('score' in memory && { score: memory.score }),
    ...('relevance' in memory && { relevance: memory.relevance }),
    context,
    importance,
    occurred_at: occurredAt,
    created_at: createdAt,
    updated_at: updatedAt,
    ...named,
    // A definition is most of the content once more.
    ...(definition !== undefined && definition.length <= 500 && { definition }),
    ...(steps !== undefined && { steps: [...steps] }),
    ...(previous !== undefined && { previous: [...previous] }),
    ...(memory.isPassage === true && { is_passage: true }),
    ...('label' in memory && { label: memory.label }),
    ...('isRevealed' in memory && { revealed: memory.isRevealed }),
  };
}
