import { ContextloomError, parseInput } from '@contextloom/contracts';
import { z } from 'zod';
import type { Exposure } from './access-policy.ts';

const exposureSchema = z.strictObject({
  allow: z.array(z.string()).optional(),
  deny: z.array(z.string()).optional(),
  rename: z
    .record(z.string(), z.string().regex(/^[a-zA-Z0-9_-]{1,64}$/, 'must be 1 to 64 letters, digits, _ or -'))
    .optional(),
  prefix: z.string().max(48).optional(),
  readOnly: z.boolean().optional(),
});

const exposeSchema = z.record(
  z.string(),
  z.union([z.boolean(), exposureSchema], { error: 'must be true, false or an object' }),
);

/**
 * Reads which servers clients see, and what of each: all of a server that is not named, nothing of one with `false`.
 * @throws ContextloomError `invalid`, naming the key, also for a server that there is not
 */
export function parseExposures(
  given: unknown,
  servers: readonly string[],
  path: readonly string[],
): Readonly<Record<string, Exposure>> {
  const named = parseInput(exposeSchema, given ?? {}, [...path]);
  const unknown = Object.keys(named).find((name) => !servers.includes(name));
  if (unknown !== undefined) {
    throw new ContextloomError(
      'invalid',
      `${[...path, unknown].join('.')} names a server that mcpServers does not have`,
      { field: 'expose' },
    );
  }
  const shown = servers.flatMap((name) => {
    const exposure = (Object.hasOwn(named, name) ? named[name] : undefined) ?? true;
    return exposure === false ? [] : [[name, exposure === true ? {} : exposure] as const];
  });
  return Object.fromEntries(shown);
}
