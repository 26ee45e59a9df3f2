import { anyObjectJsonSchema, type JsonObject } from '@contextloom/contracts';
import { z } from 'zod';
import { idField, nameField, optionalField, textField } from '../domain/fields.ts';
import { categories, entityTypes, eventTypes, statuses } from '../domain/model.ts';
import type { Listed } from '../domain/pages.ts';
import { matchModes } from '../domain/phrases.ts';
import type { Fit } from '../domain/search/search.ts';

/** The words of a search. */
export const keywordsField = z
  .array(nameField('A word or a name.'))
  .min(1, 'must have at least 1 keyword')
  .max(32, 'must have at most 32 keywords')
  .describe('Words or names to look for, in any language.');

/** Whether one of the words is enough. */
export const matchModeField = z
  .enum(matchModes)
  .default('any')
  .describe('Whether any of the keywords has to be there, or all.');

/** The length of a page. */
export function limitField(usual: number) {
  const WHOLE = 'must be a whole number from 1 to 1000';
  return z.int(WHOLE).min(1, WHOLE).max(1_000, WHOLE).default(usual).describe('Most results.');
}

/** How many items to skip. */
export const offsetField = z
  .int('must be a whole number')
  .min(0, 'must be 0 or more')
  .max(1_000_000, 'must be at most 1000000')
  .default(0)
  .describe('How many to pass over: next_offset of the answer before, for the rest of a long list.');

/** The offset of the next page; absent on the last one. */
export const nextOffsetAnswer = z.int().optional().describe('The offset of what comes after; absent at the end.');

/** Writes the offset of the next page, if there is one. */
export function toNextOffset({ next }: Pick<Listed<unknown>, 'next'>) {
  return next === undefined ? {} : { next_offset: next };
}

/** Selects facts. */
export const categoryField = optionalField(z.enum(categories)).describe('Only this kind of fact.');

const statusNames = z.enum([...statuses, 'all']);

/** Selects entities; the status `all` becomes undefined. */
export const entityFilterFields = {
  entity_type: optionalField(z.enum(entityTypes)).describe('Only this kind.'),
  status: optionalField(statusNames.default('active'))
    .transform((status) => (status === 'all' ? undefined : status))
    .describe('Whether still part of the user’s life.'),
};

const timeRange = (description: string) => optionalField(textField(description, 100));

/** Selects by a tag. */
export const tagField = optionalField(nameField('Only with this tag.'));

/** Selects what was changed in a time, and says what comes first. */
export const changeFields = {
  tag: tagField,
  time_range: timeRange('Only what was last changed in this time, such as this_month or 2024-01..2024-03.'),
  order: optionalField(z.enum(['updated'])).describe('updated: last changed first.'),
};

/** Selects events. */
export const eventFilterFields = {
  event_type: optionalField(z.enum(eventTypes)).describe('Only this kind of event.'),
  entity_id: idField('Only events about this entity.').optional(),
  time_range: timeRange(
    'Only events of this time: today, last_week, this_month, last_7_days, 2024, 2024-01, 2024-01-15, 2024-W03, 2024-01..2024-03, 昨天, 上个月, 今年 and more.',
  ),
};

/** A stored object of any keys. */
export const storedObject = z
  .custom<JsonObject>((value) => typeof value === 'object' && value !== null)
  .meta({ ...anyObjectJsonSchema });

/** How well a hit fits the words of a search. */
export const fitFields = {
  relevance_score: z.number().optional().describe('How well it fits the words, 0 to 1; absent without words.'),
  matched_keywords: z.array(z.string()).optional(),
};

/** Writes how well a hit fits the words of a search, if it has words. */
export function toFit({ score, matched }: Fit) {
  return {
    ...(score !== undefined && { relevance_score: score }),
    ...(matched !== undefined && { matched_keywords: [...matched] }),
  };
}

/** A summary of numbers in an answer; null without numbers. */
export const numbersAnswer = z
  .object({ count: z.int(), sum: z.number(), average: z.number(), min: z.number(), max: z.number() })
  .nullable();

/** The answer of a deletion. */
export const deletionAnswer = z.object({ deleted: z.boolean(), changes: z.int() });

/** Writes the answer of a deletion. */
export function toDeletionAnswer(deleted: boolean): z.output<typeof deletionAnswer> {
  return { deleted, changes: Number(deleted) };
}

/** The text of an answer that is one list; the protocol wants an object around it in the data. */
export function toListText(list: readonly unknown[]): string {
  return JSON.stringify(list, null, 2);
}
