import { defineRoute, defineTextRoute, linesBody, type Route } from '@contextloom/mcp-kit';
import { z } from 'zod';
import { type MemoryDeps, openFor } from '../memory-deps.ts';
import { ownerFields, selectionFields } from '../wire-fields.ts';
import { importAnswerSchema } from '../wire-schemas.ts';

const exportAll = defineTextRoute({
  method: 'get',
  path: '/export',
  summary: 'Gives out memories with their history and links as JSON Lines, of a project or of all.',
  note: 'Without owner and vectors. The last line says "end": what has none was cut off.',
  params: z.strictObject(selectionFields),
  produces: 'application/x-ndjson',
  errors: ['forbidden', 'unavailable'],
  run: async ({ params: { owner_id, ...project } }, deps: MemoryDeps) =>
    (await openFor({ owner_id }, deps)).exportText(project),
});

const importAll = defineRoute({
  method: 'post',
  path: '/import',
  summary: 'Adds what an export has; what is there already stays as it is.',
  note: 'Each memory comes in whole with its history or not at all. The same file again changes nothing.',
  params: z.strictObject(ownerFields),
  body: linesBody,
  answer: importAnswerSchema,
  errors: ['invalid', 'forbidden', 'unavailable'],
  run: async ({ params, body }, deps: MemoryDeps) => {
    const { refused, ...report } = await (await openFor(params, deps)).importText(body);
    return { ...report, refused: [...refused] };
  },
});

/** Routes that move memories from one database to another. */
export const transferRoutes: readonly Route<MemoryDeps>[] = [exportAll, importAll];
