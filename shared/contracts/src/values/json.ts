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

/** Most values in one free-form object, at all levels together: each becomes a row of an index, or a part of a query. */
export const MAX_JSON_VALUES = 10_000;
/** Longest key of a free-form object, in UTF-16 code units: error messages quote keys. */
export const MAX_JSON_KEY_LENGTH = 1_000;
/** Most text in one free-form object, keys and strings together, in UTF-16 code units: as much as a document's content. */
export const MAX_JSON_TEXT_LENGTH = 1_000_000;

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

/** What is left to spend while one free-form object is looked through. */
interface Budget {
  values: number;
  text: number;
}

function findTextProblem(text: string, budget: Budget): string | undefined {
  budget.text -= text.length;
  if (budget.text < 0) return `holds more text than ${MAX_JSON_TEXT_LENGTH} characters`;
  return isWellFormed(text) ? undefined : 'contains a lone surrogate';
}

function findScalarProblem(value: unknown, budget: Budget): string | undefined {
  if (value === null || typeof value === 'boolean') return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : 'must be a finite number';
  if (typeof value === 'string') return findTextProblem(value, budget);
  return 'must be a string, number, boolean, null, array or object';
}

function findKeyProblem(key: string, budget: Budget): string | undefined {
  if (key.length > MAX_JSON_KEY_LENGTH) return `has a key of more than ${MAX_JSON_KEY_LENGTH} characters`;
  return isWellFormed(key) ? findTextProblem(key, budget) : 'has a key with a lone surrogate';
}

/** Walks `value`, which stands at `path`; the path is the walk's own, and one for all of it. */
function findProblem(value: unknown, path: (string | number)[], budget: Budget): JsonProblem | undefined {
  const at = (message: string): JsonProblem => ({ path: [...path], message });
  budget.values -= 1;
  if (budget.values < 0) return { path: [], message: `has more than ${MAX_JSON_VALUES} values` };
  if (path.length > MAX_JSON_DEPTH) return at(`is nested deeper than ${MAX_JSON_DEPTH} levels`);
  if (typeof value !== 'object' || value === null) {
    const message = findScalarProblem(value, budget);
    return message === undefined ? undefined : at(message);
  }
  // A list of millions is not turned into entries to learn that it is too long.
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const message = typeof key === 'string' ? findKeyProblem(key, budget) : undefined;
    if (message !== undefined) return at(message);
    path.push(key);
    const problem = findProblem(Reflect.get(value, key), path, budget);
    if (problem !== undefined) return problem;
    path.pop();
  }
  return undefined;
}

/** Finds the first thing in `value` that is not storable JSON, or too much of it; `undefined` when all of it is. */
export function findJsonProblem(value: unknown): JsonProblem | undefined {
  return findProblem(value, [], { values: MAX_JSON_VALUES, text: MAX_JSON_TEXT_LENGTH });
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
