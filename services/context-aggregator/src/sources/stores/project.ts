import { type InputOf, readOnly } from '@contextloom/contracts';
import { type ProjectMemoryContract, projectMemory } from '@contextloom/contracts/project-memory';
import type { z } from 'zod';
import { createFailure } from '../asking/failure.ts';
import { type Answer, bySchema } from './ask-store.ts';
import {
  type Change,
  type MemoryStore,
  mapAnswer,
  type StoreContext,
  toChange,
  toGot,
  toOffset,
} from './memory-store.ts';

/** The service of what is known of projects. */
export const PROJECT_MEMORY = 'project-memory';
/** The shortest query that project memory takes, in characters. */
const LEAST_QUERY = 2;
/** How far back a list of a project's memories goes, in days: as far as project memory lists. */
const DAYS = 3_650;
const MAX_LIMIT = 100;
const NO_TAGS = 'does not select by tag';

const { output: searchAnswer } = projectMemory['mem.search'];
const foundSchema = readOnly(searchAnswer, { results: { id: true, snippet: true, score: true, ts: true } });
const wholeSchema = readOnly(projectMemory['mem.get'].output, {
  results: { id: true, content: true, content_type: true, ts: true },
});
const timelineSchema = readOnly(projectMemory['mem.timeline'].output, {
  results: { id: true, summary: true, ts: true },
  metadata: { next_offset: true },
});
const ingestedSchema = readOnly(projectMemory['mem.ingest_memory'].output, { id: true });

const toTime = (seconds: number): string => new Date(seconds * 1_000).toISOString();

/** Project memory names its tools with a dot, or with an underscore for models whose API refuses dots. */
function question<Name extends keyof ProjectMemoryContract>(tool: Name, args: InputOf<ProjectMemoryContract, Name>) {
  return { service: PROJECT_MEMORY, tool: [tool, tool.replace('.', '_')], args };
}

/** The id of a project's memory says the project: it is written under its project alone. */
export function parseProjectMemoryId(own: string): { readonly project_key: string; readonly id: string } {
  const at = own.lastIndexOf('/');
  return { project_key: own.slice(0, Math.max(0, at)), id: own.slice(at + 1) };
}

type Ingest = InputOf<ProjectMemoryContract, 'mem.ingest_memory'>;

/** Stores a text in a project; answers the id that names it. What was read goes back under its type, also one of a later version. */
export function ingest(
  { ask }: Pick<StoreContext, 'ask'>,
  memory: Omit<Ingest, 'content_type'> & { readonly project_key: string; readonly content_type: string },
): Promise<Answer<string>> {
  return mapAnswer(
    ask({ ...question('mem.ingest_memory', memory as Ingest), isChange: true, read: bySchema(ingestedSchema) }),
    ({ id }) => `${memory.project_key}/${id}`,
  );
}

/** What is known of one project: shared by all who reach the project. */
export function openProject(context: StoreContext & { readonly project: string }): MemoryStore {
  const { ask, project: project_key } = context;
  const getWhole = (id: string): Promise<Answer<z.output<typeof wholeSchema>>> =>
    ask({ ...question('mem.get', { ids: [id] }), read: bySchema(wholeSchema) });
  async function replace(own: string, content: string): Change {
    const { project_key: its, id } = parseProjectMemoryId(own);
    const whole = await getWhole(id);
    if (whole.kind === 'failed') return whole;
    const content_type = whole.value.results[0]?.content_type;
    if (content_type === undefined) return { kind: 'ok', value: false };
    return mapAnswer(ingest(context, { project_key: its, content, content_type, replaces: id }), () => []);
  }
  return {
    kind: 'project',
    service: PROJECT_MEMORY,
    recall: async ({ query, limit, filter: { tag, range } = {} }) => {
      if (tag !== undefined) return createFailure(NO_TAGS);
      if ([...query.trim()].length < LEAST_QUERY) return { kind: 'ok', value: [] };
      return mapAnswer(
        ask({
          ...question('mem.search', {
            query,
            project_key,
            limit: range === undefined ? Math.min(limit, MAX_LIMIT) : MAX_LIMIT,
          }),
          read: bySchema(foundSchema),
        }),
        ({ results }) =>
          results.map(({ id, snippet: text, score, ts }) => ({
            own: `${project_key}/${id}`,
            text,
            score,
            time: toTime(ts),
          })),
      );
    },
    list: async ({ limit, cursor, filter }) => {
      if (filter?.tag !== undefined) return createFailure(NO_TAGS);
      const page = { limit: Math.min(limit, MAX_LIMIT), ...(cursor !== undefined && { offset: toOffset(cursor) }) };
      return mapAnswer(
        ask({
          ...question('mem.timeline', { project_key, days: DAYS, ...page }),
          read: bySchema(timelineSchema),
        }),
        ({ results, metadata }) => ({
          memories: results.map(({ id, summary: text, ts }) => ({
            own: `${project_key}/${id}`,
            text,
            time: toTime(ts),
          })),
          next: metadata.next_offset === undefined ? undefined : String(metadata.next_offset),
        }),
      );
    },
    get: (own) =>
      toGot(getWhole(parseProjectMemoryId(own).id), ({ results: [whole] }) => {
        if (whole === undefined) return undefined;
        const { id: _id, content: text, ...details } = whole;
        return { own, text, time: toTime(whole.ts), details };
      }),
    update: replace,
    remove: (own) =>
      toChange(
        ask({
          ...question('mem.delete', { id: parseProjectMemoryId(own).id }),
          isChange: true,
          read: () => true,
        }),
      ),
  };
}
