import { createHash } from 'node:crypto';
import type { MemoryType } from '@contextloom/contracts/typed-memory';
import { z } from 'zod';
import type { MemoryDetails, MemoryDraft, StoredMemory } from '../../domain/memory.ts';

/** A memory as MIRIX has it, of either generation. What it keeps of a secret besides its caption is left where it is. */
export interface MirixItem {
  readonly type: MemoryType;
  /** What tells it from the other items of its user, of whatever type. */
  readonly key: string;
  readonly content: string;
  readonly occurredAt?: string | undefined;
  readonly createdAt?: string | undefined;
  readonly updatedAt?: string | undefined;
  readonly isPassage?: boolean;
  readonly details: MemoryDetails;
}

const text = z
  .string()
  .nullish()
  .transform((value) => value?.trim() ?? '');

/** Steps are a list, of words or of instructions, or one text with a step a line. */
const stepsSchema = z
  .union([z.string(), z.array(z.union([z.string(), z.object({ instruction: z.string() })]))])
  .nullish()
  .transform((value) => (typeof value === 'string' ? readStepsText(value) : (value ?? []).map(toStep)));

const toStep = (step: string | { readonly instruction: string }): string =>
  typeof step === 'string' ? step : step.instruction;

function readStepsText(value: string): readonly string[] {
  const lines = value.split('\n').map((line) => line.trim());
  return lines.filter((line) => line !== '');
}

/** MIRIX leaves out the zone of times in UTC; anything else has no time. */
const time = z
  .string()
  .nullish()
  .transform((value) => {
    const isZoned = /(?:Z|[+-]\d{2}:?\d{2})$/u.test(value ?? '');
    const date = new Date(isZoned ? (value ?? '') : `${value}Z`);
    return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
  });

/** The fields that items of any type may have, by the names of either generation. */
export const itemFields = {
  summary: text,
  details: text,
  name: text,
  title: text,
  content: text,
  caption: text,
  label: text,
  value: text,
  aspect: text,
  understanding: text,
  filename: text,
  type: text,
  resource_type: text,
  steps: stepsSchema,
  timestamp: time,
  occurred_at: time,
  created_at: time,
  updated_at: time,
  last_accessed: time,
};

const fieldsSchema = z.object(itemFields);
/** Those fields, read. */
export type ItemFields = z.output<typeof fieldsSchema>;

/** Puts texts together, without those that say nothing new. */
function join(parts: readonly string[]): string {
  return parts
    .filter((part, at) => part !== '' && !parts.slice(0, at).some((before) => before.includes(part)))
    .join('\n');
}

type Shown = Pick<MirixItem, 'content' | 'details'>;

const defined = (details: { readonly [K in keyof MemoryDetails]: MemoryDetails[K] | '' }): MemoryDetails =>
  Object.fromEntries(Object.entries(details).filter(([, value]) => value !== ''));

const shownOf: Readonly<Record<MemoryType, (fields: ItemFields) => Shown>> = {
  core: ({ label, value, aspect, understanding }) => ({
    content: value || understanding,
    details: defined({ title: label || aspect }),
  }),
  episodic: ({ summary, details }) => ({ content: join([summary, details]), details: {} }),
  semantic: ({ summary, details, name, title }) => ({
    content: join([summary, details]),
    details: defined({ concept: name || title }),
  }),
  procedural: ({ summary, steps }) => ({
    content: join([summary, ...steps]),
    details: steps.length === 0 ? {} : { steps },
  }),
  resource: ({ title, filename, summary, content, resource_type: kind, type }) => ({
    content: content || summary,
    details: defined({ title: title || filename, kind: kind || type }),
  }),
  knowledge_vault: ({ caption }) => ({ content: caption, details: {} }),
};

/**
 * An item of a type; undefined for one that says nothing, and for the assistant's own persona among the core memories.
 * @param key what tells it apart; by default all its words
 */
export function toItem(type: MemoryType, fields: ItemFields, key?: string): MirixItem | undefined {
  const { content, details } = shownOf[type](fields);
  if (content === '') return undefined;
  if (type === 'core' && details.title?.toLowerCase() === 'persona') return undefined;
  const occurredAt = type === 'episodic' ? (fields.occurred_at ?? fields.timestamp) : undefined;
  return {
    type,
    key: `${type}/${key ?? JSON.stringify([content, details, occurredAt])}`,
    content,
    occurredAt,
    createdAt: fields.created_at,
    updatedAt: fields.updated_at ?? fields.last_accessed ?? fields.created_at,
    details,
  };
}

/** Our id of an item: it contains the user, so that no other user can open it. */
export function toMirixId(userId: string, { key }: MirixItem): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([userId, 'mirix', key]))
    .digest('hex');
  return `mem-${hash.slice(0, 32)}`;
}

/** The memory that an item is. */
export function toStoredMemory(userId: string, item: MirixItem): StoredMemory {
  const { key: _, ...shown } = item;
  return { id: toMirixId(userId, item), ...shown };
}

/** How a memory is sent to MIRIX, whose own model reads it. */
export function toMirixMessage({ type, content, context }: MemoryDraft): string {
  const about = context === undefined ? '' : `\nContext: ${context.replace(/\s+/gu, ' ')}`;
  return `Remember this as ${type.replace('_', ' ')} memory.${about}\n\n${content}`;
}
