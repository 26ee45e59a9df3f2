import type { z } from 'zod';
import type { ChatAnswer, JsonAnswer, JsonShape } from './chat-model.ts';
import { findJson } from './json-text.ts';
import { withoutNulls } from './strict-schema.ts';

/** How much of a bad answer is shown. */
const RAW_SHOWN = 2_000;

/** Reads a model's answer as a value of a shape, or says what is wrong with it. */
export function judgeAnswer<S extends z.ZodType>(
  { text, finish, usage }: ChatAnswer,
  { schema }: JsonShape<S>,
): JsonAnswer<z.output<S>> {
  const bad = (kind: Exclude<JsonAnswer<unknown>['kind'], 'ok'>, detail: string) =>
    ({ kind, detail, raw: text.slice(0, RAW_SHOWN), usage }) as const;
  if (finish === 'refused') return bad('refused', 'the model refused to answer');
  if (finish === 'length') return bad('truncated', 'the answer was cut off at the limit of tokens');
  if (text.trim() === '') return bad('empty', 'the answer was empty');
  const found = findJson(text);
  if (found === undefined) return bad('malformed', 'the answer holds no whole JSON object');
  const parsed = schema.safeParse(withoutNulls(found.value));
  if (parsed.success) return { kind: 'ok', value: parsed.data, usage };
  const [issue] = parsed.error.issues;
  return bad('invalid', `${issue?.path.join('.') || 'the answer'}: ${issue?.message ?? 'has another shape'}`);
}
