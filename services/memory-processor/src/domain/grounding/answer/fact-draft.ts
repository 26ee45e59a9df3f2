import type { MemoryType } from '@contextloom/contracts';
import { z } from 'zod';
import { readEvidence } from '../evidence.ts';
import { readText, toOwnNames } from './answer-shape.ts';
import { readImportance } from './importance-scale.ts';

/** A fact as a model wrote it, before anybody has looked whether it is true. */
export interface FactDraft {
  readonly content: string;
  /** 1 to 10, an integer. */
  readonly importance: number;
  readonly memoryType: Exclude<MemoryType, 'episode'>;
  /** −1 to 1. */
  readonly valence?: number | undefined;
  readonly tags: readonly string[];
  /** As the model wrote it. */
  readonly occurredAt?: string | undefined;
  /** Until when it was so, as the model wrote it. */
  readonly endedAt?: string | undefined;
  /** Labels of turns, as the model wrote them. */
  readonly evidence: readonly string[];
  /** What had to be guessed, since it was not in the requested form. */
  readonly guessed?: readonly string[];
}

/** A part of an answer that is no fact. */
export interface Malformed {
  /** What it says, if that is known. */
  readonly content: string;
  /** The field, and what is allowed. */
  readonly problem: string;
}

const TYPES = ['preference', 'event', 'relationship', 'knowledge', 'emotional'] as const;
const lowered = (value: unknown): unknown => (typeof value === 'string' ? value.trim().toLowerCase() : value);
const numeric = (schema: z.ZodNumber) =>
  z.preprocess((value) => (typeof value === 'string' && value.trim() !== '' ? Number(value) : value), schema);
/** `["a", "b"]`, or `"a, b"` as some models write it. */
const words = z.preprocess(
  (value) => (typeof value === 'string' ? value.split(/[,，、;；]/u) : value),
  z.array(z.union([z.string(), z.number()]).transform((word) => String(word).trim())),
);

/** What a memory lives without is left out when it is not as it should be. */
const detailsSchema = z.object({
  memory_type: z.preprocess(lowered, z.enum(TYPES)).catch('knowledge'),
  emotional_valence: numeric(z.number().min(-1).max(1)).optional().catch(undefined),
  tags: words.catch([]),
  occurred_at: z.coerce.string().trim().optional().catch(undefined),
  ended_at: z.coerce.string().trim().optional().catch(undefined),
});

type Item = Readonly<Record<string, unknown>>;
type Parsed = { readonly draft: FactDraft } | { readonly malformed: Malformed };

const isObject = (value: unknown): value is Item =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A date as the model wrote it; undefined for its words for none. */
const toSaidDate = (date: string | undefined): string | undefined =>
  date === undefined || /^(?:null|undefined|none|unknown|present|now|ongoing|至今|现在|\[object .*)$/iu.test(date)
    ? undefined
    : date;

/** Reads one part of an answer as a fact: what can be meant is taken, and only what has no text is none. */
export function parseDraft(given: unknown): Parsed {
  if (typeof given === 'string' && given.trim() !== '') return parseDraft({ content: given });
  if (!isObject(given)) return { malformed: { content: '', problem: 'a memory must be an object' } };
  const item = toOwnNames(given);
  const content = readText(item)?.replace(/\s+/gu, ' ').trim();
  if (content === undefined) {
    const problem = 'content' in given ? 'content: must be text' : 'content: must not be missing';
    return { malformed: { content: '', problem } };
  }
  const { importance, isMeant } = readImportance(item['importance']);
  const {
    memory_type: memoryType,
    emotional_valence: valence,
    tags,
    occurred_at: when,
    ended_at: until,
  } = detailsSchema.parse(item);
  const shown = JSON.stringify(item['importance']) ?? 'missing';
  return {
    draft: {
      content,
      importance,
      memoryType,
      valence,
      tags,
      occurredAt: toSaidDate(when),
      endedAt: toSaidDate(until),
      evidence: readEvidence(item['evidence']),
      ...(!isMeant && { guessed: [`importance: ${shown.slice(0, 40)} is taken as ${importance}`] }),
    },
  };
}

/** What a model is asked to answer; endpoints that take a schema are given this one. */
export const askedSchema = z.object({
  memories: z.array(
    z.object({
      content: z.string(),
      importance: z.number().int(),
      memory_type: z.enum(TYPES),
      emotional_valence: z.number().optional(),
      tags: z.array(z.string()),
      occurred_at: z.string().optional(),
      ended_at: z.string().optional(),
      evidence: z.array(z.string()),
    }),
  ),
});
