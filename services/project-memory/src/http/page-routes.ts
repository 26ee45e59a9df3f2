import { ownerFields, selectionFields } from '@contextloom/contracts/project-memory';
import { defineTextRoute, type Route } from '@contextloom/server-kit';
import { z } from 'zod';
import { toProjectKey } from '../domain/project.ts';
import type { Metrics } from '../metrics.ts';
import { openFor, type ProjectMemoryDeps } from '../operations/deps.ts';
import { renderProjectPage, renderProjectsPage, sortings } from './project-page.ts';
import { requireProjects } from './require-projects.ts';

/** What the routes work with. */
export interface ApiDeps extends ProjectMemoryDeps {
  readonly metrics: Metrics;
}

/** Most subjects, or projects, on a page. */
const MAX_ROWS = 1_000;

const index = defineTextRoute({
  method: 'get',
  path: '/projects/index',
  summary: 'Shows what is known of a project, one line a subject, as a page; without a project, all projects.',
  params: z.strictObject({ ...selectionFields, sort: z.enum(sortings).default('latest') }),
  produces: 'text/html',
  errors: ['forbidden', 'unavailable'],
  run: async ({ params: { sort, owner_id, ...named }, principal, signal }, deps: ApiDeps) => {
    requireProjects(principal, named);
    const memory = await openFor({ owner_id }, { deps, principal, signal });
    const project = toProjectKey(named);
    if (project === undefined) return renderProjectsPage(await memory.projects(MAX_ROWS));
    return renderProjectPage({ project, sort, limit: MAX_ROWS, entries: await memory.newest(named, MAX_ROWS) });
  },
});

const metrics = defineTextRoute({
  method: 'get',
  path: '/metrics',
  summary: 'Tells Prometheus what is stored, per project and type, and how long calls take.',
  requires: 'admin',
  params: z.strictObject(ownerFields),
  produces: 'text/plain; version=0.0.4',
  errors: ['forbidden', 'unavailable'],
  run: async ({ params, principal, signal }, deps: ApiDeps) =>
    deps.metrics.render(await (await openFor(params, { deps, principal, signal })).counts()),
});

/** Routes that answer text for people and for Prometheus. */
export const pageRoutes: readonly Route<ApiDeps>[] = [index, metrics];
