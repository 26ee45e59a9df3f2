import type { MemoryType } from '@contextloom/contracts';
import { z } from 'zod';

/** A fact as a model wrote it, before anybody has looked whether it is true. */
export interface FactDraft {
  readonly content: string;
  /** 1 to 10. */
  readonly importance: number;
  readonly memoryType: Exclude<MemoryType, 'episode'>;
  /** −1 to 1. */
  readonly valence?: number | undefined;
  readonly tags: readonly string[];
  /** As the model wrote it. */
  readonly occurredAt?: string | undefined;
  /** Labels of turns, as the model wrote them. */
  readonly evidence: readonly string[];
}

/** A part of an answer that is no fact. */
export interface Malformed {
  /** What it says, if that can be told. */
  readonly content: string;
  /** The field, and what is allowed. */
  readonly problem: string;
}

const RATING = 'must be a number from 1 to 10';
const numeric = (schema: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), schema);
/** `["a", "b"]`, or `"a, b"` as some models write it. */
const words = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[,，、;；]/u) : value),
  z.array(z.union([z.string(), z.number()]).transform((word) => String(word).trim())),
);

/** What a memory lives without is left out when it is not as it should be; a wrong text or rating makes it none. */
const draftSchema = z.object({
  content: z.string().trim().min(1, 'must not be empty'),
  importance: numeric(z.number(RATING).min(1, RATING).max(10, RATING)),
  memory_type: z.enum(['preference', 'event', 'relationship', 'knowledge', 'emotional']).catch('knowledge'),
  emotional_valence: numeric(z.number().min(-1).max(1)).optional().catch(undefined),
  tags: words.catch([]),
  occurred_at: z.string().trim().optional().catch(undefined),
  evidence: words.catch([]),
});

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some models call the text a summary. */
function withContent(item: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return 'content' in item ? item : { ...item, content: item['summary'] };
}

/** Reads one part of an answer as a fact, or says what is wrong with it. */
export function parseDraft(item: unknown): { readonly draft: FactDraft } | { readonly malformed: Malformed } {
  if (!isObject(item)) return { malformed: { content: '', problem: 'a memory must be an object' } };
  const named = withContent(item);
  const parsed = draftSchema.safeParse(named);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const content = typeof named['content'] === 'string' ? named['content'] : '';
    const problem = `${issue?.path.join('.') ?? 'memory'}: ${issue?.message ?? 'not allowed'}`;
    return { malformed: { content: content.slice(0, 200), problem } };
  }
  const { memory_type: memoryType, emotional_valence: valence, occurred_at: occurredAt, ...rest } = parsed.data;
  return { draft: { ...rest, memoryType, valence, occurredAt } };
}

/**
 * What a model answers to a window, read with lenience: `{memories: […]}`, a bare list, one memory, or `{no_memory: true}`.
 * The parts are looked at one by one.
 */
export const answerSchema = z.union([
  z.object({ memories: z.array(z.unknown()) }).transform(({ memories }) => memories),
  z.array(z.unknown()),
  z.object({ no_memory: z.literal(true) }).transform((): unknown[] => []),
  z
    .record(z.string(), z.unknown())
    .refine((item) => 'content' in item || 'summary' in item, 'must be {"memories": […]}')
    .transform((item): unknown[] => [item]),
]);

/** What a model is asked to answer; endpoints that take a schema are given this one. */
export const askedSchema = z.object({
  memories: z.array(
    z.object({
      content: z.string(),
      importance: z.number(),
      memory_type: z.enum(['preference', 'event', 'relationship', 'knowledge', 'emotional']),
      emotional_valence: z.number().optional(),
      tags: z.array(z.string()),
      occurred_at: z.string().optional(),
      evidence: z.array(z.string()),
    }),
  ),
});
