import { ownerFields, selectionFields } from '@contextloom/contracts/project-memory';
import { defineRoute, defineTextRoute, linesBody, type Route } from '@contextloom/server-kit';
import { z } from 'zod';
import { openFor, type ProjectMemoryDeps } from '../operations/deps.ts';
import { requireProjects } from './require-projects.ts';

const counted = z.number();

const importAnswerSchema = z.object({
  imported: z.object({ project: counted, memory: counted, arbitration: counted, link: counted }),
  unchanged: z.number(),
  refused: z.array(z.object({ line: z.number(), problem: z.string() })).describe('The first hundred.'),
  refused_count: z.number(),
  is_complete: z.boolean().describe('false: the export was cut off.'),
});

const exportAll = defineTextRoute({
  method: 'get',
  path: '/export',
  summary: 'Gives out memories with their history and links as JSON Lines, of a project or of all.',
  note: 'Without owner and vectors. The last line says "end": what has none was cut off.',
  params: z.strictObject(selectionFields),
  produces: 'application/x-ndjson',
  errors: ['forbidden', 'unavailable'],
  run: async ({ params: { owner_id, ...project }, principal, signal }, deps: ProjectMemoryDeps) => {
    requireProjects(principal, project);
    return (await openFor({ owner_id }, { deps, principal, signal })).exportText(project);
  },
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
  run: async ({ params, body, principal, signal, mask }, deps: ProjectMemoryDeps) => {
    const memory = await openFor(params, { deps, principal, signal });
    const maskLine = mask && ((line: unknown) => mask(line, { hasUsers: false }));
    const { refused, ...report } = await memory.importText(body, maskLine);
    return { ...report, refused: [...refused] };
  },
});

/** Routes that move memories from one database to another. */
export const transferRoutes: readonly Route<ProjectMemoryDeps>[] = [exportAll, importAll];
