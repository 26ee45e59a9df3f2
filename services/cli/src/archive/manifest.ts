import { unreachedSchema, userIdSchema } from '@contextloom/contracts';
import { z } from 'zod';

/** What an archive calls itself. */
export const FORMAT = 'contextloom-archive';
/** The newest version of an archive that is read, and the one that is written. */
export const VERSION = 1;
/** The entry that says what the others are; it is the last one. */
export const MANIFEST = 'manifest.json';

const storeSchema = z.object({
  file: z.string(),
  server: z.string(),
  service: z.string(),
  format: z.string(),
  version: z.int().min(1),
  records: z.int().min(0),
  sha256: z.string(),
});
/** The records of one user at one server: an entry of the archive. */
export type ArchivedStore = z.output<typeof storeSchema>;

/** What stands in the manifest of an archive. */
export const manifestSchema = z.object({
  format: z.literal(FORMAT),
  version: z.int().max(VERSION, `must be at most ${VERSION}: a newer program wrote it`),
  users: z.array(z.object({ user_id: userIdSchema, stores: z.array(storeSchema) })),
  unreached: z.array(unreachedSchema.extend({ server: z.string() })),
});
/** One of {@link manifestSchema}. */
export type Manifest = z.output<typeof manifestSchema>;
