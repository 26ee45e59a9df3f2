import { ContextloomError, importLines, toPage } from '@contextloom/contracts';
import { defineExportUser, defineImportUser } from '@contextloom/server-kit';
import { z } from 'zod';
import { cutDocument } from '../../domain/transfer/archive.ts';
import { parseDocument } from '../../domain/transfer/document.ts';
import { toDocument } from '../../domain/transfer/export.ts';
import { importDocument } from '../../domain/transfer/import.ts';
import { type PersonalMemoryDeps, withMemoryOf } from '../deps.ts';

const LINES = { format: 'contextloom-personal-memory', version: 1 } as const;
const placeSchema = z.coerce.number().int().min(0);

/** How many records were exported before. @throws ContextloomError `invalid` */
function parsePlace(cursor: string | undefined): number {
  const place = placeSchema.safeParse(cursor ?? '0');
  if (place.success) return place.data;
  throw new ContextloomError('invalid', 'cursor must be the next_cursor of the page before', { field: 'cursor' });
}

/** Hands out the memory of a user: documents that import_user and import_data take. */
export const exportUserOperation = defineExportUser<PersonalMemoryDeps>({
  exports: 'the profile with its history, entities, relations and events',
  export: ({ userId, cursor }, call) =>
    withMemoryOf(userId, call, async ({ memory }) => {
      const from = parsePlace(cursor);
      const document = await toDocument(memory, 'own');
      const { profile, history, entities, events } = document;
      const isEmpty = [profile, history, entities, events].every(({ length }) => length === 0);
      const records = isEmpty ? [] : [...cutDocument(document)];
      const placed = records.map((record, at) => ({ record, cursor: String(at + 1) })).slice(from);
      return { ...LINES, ...(await toPage(placed)), unreached: [] };
    }),
});

/** Takes in the memory of a user, with the ids that it had as far as they are free. */
export const importUserOperation = defineImportUser<PersonalMemoryDeps>({
  ...LINES,
  import: ({ userId, lines }, call) =>
    withMemoryOf(userId, call, (context) =>
      importLines(lines, z.unknown(), async (record) => {
        const document = await parseDocument(record, 'record');
        const { imported } = await importDocument(document, context, { keepsIds: true });
        return Object.values(imported).some((count) => count > 0);
      }),
    ),
});
