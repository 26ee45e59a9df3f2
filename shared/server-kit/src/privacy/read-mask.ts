import { readFileSync } from 'node:fs';
import { ContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import { createMask, findExpressionProblem, maskKinds } from '@contextloom/safety/masks';
import { z } from 'zod';
import { createMaskCall, createToLifetime, type MaskCall } from './mask-call.ts';

const names = z.array(z.string().min(1).max(256)).min(1).max(100);

const expressionSchema = z.string().superRefine((source, context) => {
  const problem = findExpressionProblem(source);
  if (problem !== undefined) context.addIssue(problem);
});

const scopeFields = { users: z.array(userIdSchema).min(1).optional(), sources: names.optional() };

const ruleSchema = z
  .strictObject({
    kinds: z.array(z.enum(maskKinds, `must be one of ${maskKinds.join(', ')}`)).default([]),
    expressions: z.array(expressionSchema).max(50, 'must be at most 50 expressions').default([]),
    ...scopeFields,
  })
  .refine(({ kinds, expressions }) => kinds.length + expressions.length > 0, 'must have kinds or expressions');

const DAYS = 'must be a number of days, more than 0 and at most 36500';
const DAY_MS = 86_400_000;

const lifetimeSchema = z.strictObject({
  after_days: z.number(DAYS).positive(DAYS).max(36_500, DAYS),
  kinds: names.optional(),
  ...scopeFields,
});

const privacySchema = z.strictObject({
  masks: z.array(ruleSchema).max(50, 'must be at most 50 rules').default([]),
  expires: z.array(lifetimeSchema).max(50, 'must be at most 50 rules').default([]),
});

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (cause) {
    const message = `PRIVACY_FILE must be a JSON file that can be read: ${file}`;
    throw new ContextloomError('invalid', message, { field: 'PRIVACY_FILE', cause });
  }
}

/**
 * Builds what masks the calls of a server, as a file says; undefined where it has no rules.
 * @throws ContextloomError `invalid`, naming the file and what is wrong in it
 */
export function readMask(file: string, server: string): MaskCall | undefined {
  const { masks } = parseInput(privacySchema, read(file), [file]);
  const rules = masks.map(({ users, sources, ...rule }) => ({ users, sources, mask: createMask(rule) }));
  return rules.length === 0 ? undefined : createMaskCall(rules, server);
}

/**
 * Builds what tells how long documents of a server are kept, as a file says.
 * @throws ContextloomError `invalid`, naming the file and what is wrong in it
 */
export function readLifetimes(file: string, server: string): ReturnType<typeof createToLifetime> | undefined {
  const { expires } = parseInput(privacySchema, read(file), [file]);
  const rules = expires.map(({ after_days: days, ...rule }) => ({ ...rule, lifetimeMs: days * DAY_MS }));
  return rules.length === 0 ? undefined : createToLifetime(rules, server);
}
