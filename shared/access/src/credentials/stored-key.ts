import { ContextloomError, toInvalidError } from '@contextloom/contracts';
import { z } from 'zod';
import { accessScopes } from '../principal/principal.ts';

const ids = z.array(z.string().min(1).max(256)).readonly();

/** One key as the file holds it. */
const keySchema = z.object({
  name: z.string(),
  /** SHA-256 of the key, hexadecimal. */
  hash: z.string().regex(/^[\da-f]{64}$/),
  /** Ids that it reaches; all without the field. */
  users: ids.optional(),
  projects: ids.optional(),
  scopes: z.array(z.enum(accessScopes)).readonly(),
  /** The servers that take it; all without the field. */
  servers: ids.optional(),
  created_at: z.string(),
  expires_at: z.string().optional(),
});

/** The file of keys. */
export const keyFileSchema = z.object({ version: z.literal(1), keys: z.array(keySchema) });

/** One key as the file holds it: never the key itself. */
export type StoredKey = Readonly<z.output<typeof keySchema>>;

/**
 * Reads a file of keys.
 * @throws ContextloomError `invalid` for a file that holds something else
 */
export function parseKeyFile(text: string, file: string): readonly StoredKey[] {
  const parsed = keyFileSchema.safeParse(readJson(text, file));
  if (!parsed.success) throw toInvalidError(parsed.error, [file]);
  return parsed.data.keys;
}

function readJson(text: string, file: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', `${file} must be the JSON that "contextloom keys" writes`, { cause });
  }
}
