import { readFileSync } from 'node:fs';
import { ContextloomError, parseInput, userIdSchema } from '@contextloom/contracts';
import { createMask, maskKinds } from '@contextloom/safety/masks';
import { z } from 'zod';
import { createMaskCall, type MaskCall } from './mask-call.ts';

const names = z.array(z.string().min(1).max(256)).min(1).max(100);

const ruleSchema = z
  .strictObject({
    kinds: z.array(z.enum(maskKinds, `must be one of ${maskKinds.join(', ')}`)).default([]),
    expressions: z.array(z.string()).max(50, 'must be at most 50 expressions').default([]),
    users: z.array(userIdSchema).min(1).optional(),
    sources: names.optional(),
  })
  .refine(({ kinds, expressions }) => kinds.length + expressions.length > 0, 'must have kinds or expressions');

const privacySchema = z.strictObject({ masks: z.array(ruleSchema).max(50, 'must be at most 50 rules').default([]) });

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
  const rules = masks.map(({ users, sources, ...rule }, at) => ({
    users,
    sources,
    mask: createMask(rule, `${file}.masks[${at}]`),
  }));
  return rules.length === 0 ? undefined : createMaskCall(rules, server);
}
