import type { z } from 'zod';
import type { ChatAnswer, JsonAnswer, JsonShape } from './chat-model.ts';
import { findJsonCandidates, findWholeParts, isCutOff, unwrapJson } from './json-text.ts';
import { withoutNulls } from './strict-schema.ts';

/** How much of a bad answer is shown. */
const RAW_SHOWN = 2_000;

/** Reads a model's answer as a value of a shape, or says what is wrong with it, and what of it is whole. */
export function judgeAnswer<S extends z.ZodType>(
  { text: raw, finish, usage }: ChatAnswer,
  { schema }: JsonShape<S>,
): JsonAnswer<z.output<S>> {
  const bad = (kind: Exclude<JsonAnswer<unknown>['kind'], 'ok'>, detail: string, part?: unknown) => {
    const parsed = part === undefined ? undefined : schema.safeParse(withoutNulls(part));
    return { kind, detail, raw: raw.slice(0, RAW_SHOWN), usage, ...(parsed?.success && { part: parsed.data }) };
  };
  const text = unwrapJson(raw);
  // A filter may cut off an answer that has content already.
  if (finish === 'refused') return bad('refused', 'the model refused to answer', findWholeParts(text)?.value);
  if (text.trim() === '') {
    return finish === 'length'
      ? bad('truncated', 'the answer was cut off at the limit of tokens')
      : bad('empty', 'the answer was empty');
  }
  // An answer that is whole is one, also when the model went on after it up to the limit.
  const whole = isCutOff(text) ? [] : findJsonCandidates(text);
  const issues: z.core.$ZodIssue[] = [];
  for (const { value } of whole) {
    const parsed = schema.safeParse(withoutNulls(value));
    if (parsed.success) return { kind: 'ok', value: parsed.data, usage };
    issues.push(...parsed.error.issues);
  }
  const part = findWholeParts(text)?.value;
  if (finish === 'length') return bad('truncated', 'the answer was cut off at the limit of tokens', part);
  const [issue] = issues;
  if (issue === undefined) return bad('malformed', 'the answer holds no whole JSON object', part);
  return bad('invalid', `${issue.path.join('.') || 'the answer'}: ${issue.message}`);
}
