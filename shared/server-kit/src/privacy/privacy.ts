import { isAbsolute } from 'node:path';
import { setting } from '@contextloom/runtime';
import { z } from 'zod';
import type { MaskCall } from './mask-call.ts';

/** The settings by which a server knows what it may not write down. */
export const privacySettings = {
  privacyFile: setting({
    env: ['PRIVACY_FILE'],
    schema: z.string().refine(isAbsolute, 'must be an absolute path'),
    description: 'A JSON file of what is masked before anything is stored, by kinds, expressions, users and sources',
  }),
};

/**
 * Reads what calls of a server are masked by; undefined where nothing is. What finds it is loaded where it is asked for.
 * @param server its name, which a rule may have as a source
 * @throws ContextloomError `invalid`: a server that cannot read what it must mask serves nobody
 */
export async function loadMask(
  { privacyFile: file }: { readonly privacyFile?: string | undefined },
  server: string,
): Promise<MaskCall | undefined> {
  return file === undefined ? undefined : (await import('./read-mask.ts')).readMask(file, server);
}
