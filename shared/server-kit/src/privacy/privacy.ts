import { isAbsolute } from 'node:path';
import { setting } from '@contextloom/runtime';
import { z } from 'zod';
import type { createToLifetime, MaskCall } from './mask-call.ts';

/** The settings by which a server knows what it may not write down. */
export const privacySettings = {
  privacyFile: setting({
    env: ['PRIVACY_FILE'],
    schema: z.string().refine(isAbsolute, 'must be an absolute path'),
    description:
      'A JSON file of what is masked before anything is stored and how long memories are kept, by kinds, users and sources',
  }),
};

/**
 * Reads what calls of a server are masked by; undefined where nothing is. What finds it is loaded where it is requested.
 * @param server its name, which a rule may have as a source
 * @throws ContextloomError `invalid`: a server that cannot read what it must mask serves nobody
 */
export async function loadMask(
  { privacyFile: file }: { readonly privacyFile?: string | undefined },
  server: string,
): Promise<MaskCall | undefined> {
  return file === undefined ? undefined : (await import('./read-mask.ts')).readMask(file, server);
}

/** Reads how long documents of a server are kept; undefined where no rule says so. @throws ContextloomError `invalid` */
export async function loadLifetimes(
  { privacyFile: file }: { readonly privacyFile?: string | undefined },
  server: string,
): Promise<ReturnType<typeof createToLifetime> | undefined> {
  return file === undefined ? undefined : (await import('./read-mask.ts')).readLifetimes(file, server);
}
