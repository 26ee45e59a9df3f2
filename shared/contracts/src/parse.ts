import type { z } from 'zod';
import { ContextloomError } from './errors.ts';

type Issue = z.core.$ZodIssue;
type Path = readonly PropertyKey[];

/** Writes a path as callers write it: `documents[3].tags[0]`. */
export function toFieldName(path: Path): string {
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`;
    return name === '' ? String(step) : `${name}.${String(step)}`;
  }, '');
}

/** Whether the value was not there at all: in a union, that only says that another branch was meant. */
function isMissing(issue: Issue): boolean {
  return issue.code === 'invalid_type' && issue.message.endsWith('received undefined');
}

/** The issue of a union that got furthest into the input: the one that the caller most likely meant. */
function furthest(issue: Issue): { path: Path; issue: Issue } {
  if (issue.code !== 'invalid_union') return { path: issue.path, issue };
  const inner = issue.errors
    .flatMap((branch) => branch.slice(0, 1))
    .map(furthest)
    .filter(({ issue: candidate }) => !isMissing(candidate))
    .sort((a, b) => b.path.length - a.path.length)[0];
  if (inner === undefined || inner.path.length === 0) return { path: issue.path, issue };
  return { path: [...issue.path, ...inner.path], issue: inner.issue };
}

function describe(issue: Issue): string {
  if (issue.code === 'invalid_type' && isMissing(issue)) return `is required (${issue.expected})`;
  if (issue.code === 'invalid_type') return issue.message.replace(/^Invalid input: expected/, 'must be');
  if (issue.code === 'invalid_value')
    return `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
  if (issue.code === 'unrecognized_keys') return 'is not known here';
  if (issue.code === 'too_small') return `must be at least ${issue.minimum}`;
  if (issue.code === 'too_big') return `must be at most ${issue.maximum}`;
  return issue.message;
}

/** Whether the schema's author wrote the message: written messages stand as they are. */
function isWritten(issue: Issue): boolean {
  return !/^(Invalid|Too (small|big)|Unrecognized)/.test(issue.message);
}

/** Turns zod's verdict into the product's error: one line that names the first wrong field and says what is allowed. */
export function toInvalidError(error: z.ZodError, root: Path = []): ContextloomError {
  const first = error.issues[0];
  if (first === undefined) return new ContextloomError('invalid', 'the input is not valid');
  const { path, issue } = furthest(first);
  const unknownKey = issue.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : [];
  const field = toFieldName([...root, ...path, ...unknownKey]);
  const text = isWritten(issue) ? issue.message : describe(issue);
  return new ContextloomError('invalid', field === '' ? `the input ${text}` : `${field} ${text}`, {
    field,
    cause: error,
  });
}

/**
 * Zod checks the `length` even of what is no text and no list, and compares it: `{"length":{"toString":0}}` becomes no number,
 * and the comparison throws.
 */
function safeParse<S extends z.ZodType>(schema: S, value: unknown) {
  try {
    return schema.safeParse(value);
  } catch (cause) {
    if (!(cause instanceof TypeError)) throw cause;
    throw new ContextloomError('invalid', 'the input has an object where a text or a list must be', { cause });
  }
}

/**
 * Parses input at the border.
 * @param root where `value` stands in the caller's input, for error messages
 * @throws ContextloomError `invalid`, naming the field
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown, root: Path = []): z.output<S> {
  const result = safeParse(schema, value);
  if (!result.success) throw toInvalidError(result.error, root);
  return result.data;
}

/** Drops keys whose value is null: some clients send null for every optional field. Nested values stay as they are. */
export function withoutNulls(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== null));
}
