import { z } from 'zod';
import { consequencesField } from '../derivations.ts';
import { MAX_IDENTIFIER_LENGTH } from '../values/identifiers.ts';
import { anyObjectJsonSchema, isWellFormed, type JsonObject } from '../values/json.ts';
import { categories, entityTypes, eventTypes, matchModes, statuses } from './words.ts';

/** Longest value of an attribute and description of an event, in UTF-16 code units. */
const MAX_TEXT_LENGTH = 20_000;
/** Most tags of one thing. */
const MAX_TAGS = 32;

/** When something is forgotten. */
export const endField = z.iso
  .datetime({ offset: true, error: 'must be a time in ISO 8601, such as 2026-03-01T00:00:00Z' })
  .optional()
  .describe('When it is forgotten by itself, ISO 8601.');

/** A text that is not blank and can be stored. */
export function textField(description: string, max = MAX_TEXT_LENGTH) {
  return z
    .string()
    .max(max, `must be 1 to ${max} characters`)
    .refine((text) => text.trim() !== '', 'must not be blank')
    .refine(isWellFormed, 'contains a lone surrogate')
    .describe(description);
}

/** A short text on one line, such as a name; white space around it is removed. */
export function nameField(description: string) {
  return textField(description, MAX_IDENTIFIER_LENGTH)
    .refine((text) => !/\p{Cc}/u.test(text), 'must not contain control characters')
    .transform((text) => text.trim());
}

function withoutEmpty(given: unknown): unknown {
  return given === '' || (Array.isArray(given) && given.length === 0) ? undefined : given;
}

/** A field that may be absent: models fill what they do not need with an empty text or list, which counts as absent. */
export function optionalField<S extends z.ZodType>(field: S) {
  return z.preprocess(withoutEmpty, field.optional());
}

/** The number of an entity, an event or a relation. */
export function idField(description: string) {
  return z.int('must be a whole number').min(1, 'must be 1 or more').describe(description);
}

/** A share from 0 to 1. */
export function shareField(description: string) {
  const RANGE = 'must be a number from 0 to 1';
  return z.number(RANGE).min(0, RANGE).max(1, RANGE).describe(description);
}

/** Tags; repeated ones count once. */
export const tagsField = z
  .array(nameField('A tag.'))
  .max(MAX_TAGS, `must have at most ${MAX_TAGS} tags`)
  .transform((tags) => [...new Set(tags)])
  .describe('Words of your own by which this can be found.');

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

/** How many there are on all pages, with the first of several; absent of a search by words, which finds the best of them. */
export const totalAnswer = z.int().optional().describe('How many there are, where others follow the first page.');

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

/** A summary of numbers in an answer; null without numbers. */
export const numbersAnswer = z
  .object({ count: z.int(), sum: z.number(), average: z.number(), min: z.number(), max: z.number() })
  .nullable();

/** The answer of a deletion. */
export const deletionAnswer = z.object({ deleted: z.boolean(), changes: z.int(), ...consequencesField });
