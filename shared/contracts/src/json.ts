import { z } from 'zod';

/** A JSON scalar. */
export type JsonScalar = string | number | boolean | null;
/** Any JSON value. */
export type JsonValue = JsonScalar | readonly JsonValue[] | JsonObject;
/** A JSON object: free-form data such as a document's metadata. */
export interface JsonObject {
  readonly [key: string]: JsonValue;
}

/** Deepest nesting of metadata and of filters. */
export const MAX_JSON_DEPTH = 32;

/** Lone surrogates cannot be written as UTF-8: two different ones would become the same stored text. */
const LONE_SURROGATE = /\p{Cs}/u;

/** Whether a string survives being written as UTF-8 and read back. */
export function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}

/** A problem in free-form JSON: where it is, and what is wrong there. */
export interface JsonProblem {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** Finds the first thing in `value` that is not storable JSON; `undefined` when all of it is. */
export function findJsonProblem(value: unknown, path: readonly (string | number)[] = []): JsonProblem | undefined {
  if (path.length > MAX_JSON_DEPTH) return { path, message: `is nested deeper than ${MAX_JSON_DEPTH} levels` };
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number')
    return Number.isFinite(value) ? undefined : { path, message: 'must be a finite number' };
  if (typeof value === 'string')
    return isWellFormed(value) ? undefined : { path, message: 'contains a lone surrogate' };
  if (typeof value !== 'object') return { path, message: 'must be a string, number, boolean, null, array or object' };
  for (const [key, item] of Object.entries(value)) {
    const step = Array.isArray(value) ? Number(key) : key;
    if (!isWellFormed(key)) return { path, message: 'has a key with a lone surrogate' };
    const problem = findJsonProblem(item, [...path, step]);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

const scalarTypes = [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }, { type: 'null' }];

/**
 * The JSON Schema that tools advertise for free-form objects in their arguments. Some MCP clients refuse empty and recursive
 * schemas and lists without `items`, so value types are spelled out for the first levels and open below them.
 */
export const freeFormObjectJsonSchema = {
  type: 'object',
  additionalProperties: {
    anyOf: [
      ...scalarTypes,
      { type: 'array', items: { anyOf: [...scalarTypes, { type: 'object' }] } },
      { type: 'object' },
    ],
  },
};

/** The same for answers. Clients check answers against it, so it holds for every object that was ever stored. */
export const anyObjectJsonSchema = {
  type: 'object',
  additionalProperties: { anyOf: [...scalarTypes, { type: 'array' }, { type: 'object' }] },
};

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/**
 * A schema for a free-form JSON object. The object is checked in place and passed on as it came, so that no key
 * (`__proto__` among them) is lost in a copy.
 * @param description what the object is for, shown to clients
 */
export function freeFormObject(description: string) {
  return z
    .custom<JsonObject>(isPlainObject, { error: 'must be an object' })
    .superRefine((value, context) => {
      const problem = findJsonProblem(value);
      if (problem !== undefined)
        context.addIssue({ code: 'custom', path: [...problem.path], message: problem.message });
    })
    .meta({ ...freeFormObjectJsonSchema, description });
}
