import { agentMemory as contract } from '@contextloom/contracts/agent-memory';
import { defineOperation } from '@contextloom/server-kit';
import { type AgentMemoryContext, ROOT, writeErrors } from './deps.ts';
import { exampleEntry, exampleHit } from './examples.ts';

/** Searches entries. */
export const searchEntries = defineOperation({
  name: 'search_entries',
  title: 'Search memories',
  description:
    'Finds entries of the daily logs and MEMORY.md by meaning and by word, best first. Returns items with entry, score, vector_score and text_score (all 0 to 1).',
  effect: 'reads',
  scope: 'none',
  ...contract.search_entries,
  example: {
    input: { query: 'frontend framework', limit: 10 },
    output: { items: [exampleHit], query: 'frontend framework', total: 1 },
  },
  route: { method: 'post', path: `${ROOT}/search`, summary: 'Finds entries by meaning and by word, best first.' },
  run: async (request, { deps, principal }: AgentMemoryContext) => ({
    ...(await deps.memoryFor(principal).search(request)),
    ...deps.owner,
  }),
});

const other = { ...exampleEntry, id: '0b9be0a4-1c3f-4d7e-9a55-6d2f0f3c9e11', content: 'Ann likes TypeScript.' };

/** Searches for entries like another one. */
export const findSimilarEntries = defineOperation({
  name: 'find_similar_entries',
  title: 'Find similar memories',
  description: 'Finds entries that are like another, best first.',
  effect: 'reads',
  scope: 'none',
  ...contract.find_similar_entries,
  example: {
    input: { id: exampleEntry.id, limit: 10 },
    output: { items: [{ ...exampleHit, entry: other }], query: exampleEntry.content, total: 1 },
  },
  route: {
    method: 'get',
    path: `${ROOT}/search/similar/:id`,
    summary: 'Finds entries that are like another.',
    errors: ['not_found'],
  },
  run: ({ id, limit, session }, { deps, principal }: AgentMemoryContext) =>
    deps.memoryFor(principal).similar(id, limit, session),
});

/** Writes an entry. */
export const addEntry = defineOperation({
  name: 'add_entry',
  title: 'Remember something',
  description: "Writes an entry into today's log, or into MEMORY.md with long_term. Returns the entry with its id.",
  effect: 'adds',
  scope: 'none',
  ...contract.add_entry,
  example: {
    input: { content: exampleEntry.content, content_type: 'decision', metadata: exampleEntry.metadata },
    output: exampleEntry,
  },
  route: {
    method: 'post',
    path: `${ROOT}/entries`,
    summary: "Writes an entry into today's log, or into MEMORY.md.",
    statuses: { 201: 'The entry was written.' },
    errors: writeErrors,
  },
  run: (request, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).add(request),
});

/** Lists entries page by page. */
export const listEntries = defineOperation({
  name: 'list_entries',
  title: 'List memories',
  description: 'Lists entries, newest first, by type and days. Returns items and total.',
  effect: 'reads',
  scope: 'none',
  ...contract.list_entries,
  example: {
    input: { content_type: 'decision', start_date: '2026-02-01', limit: 20 },
    output: { items: [exampleEntry], total: 1 },
  },
  route: { method: 'get', path: `${ROOT}/entries`, summary: 'Lists entries, newest first.' },
  run: async (request, { deps, principal }: AgentMemoryContext) => ({
    ...(await deps.memoryFor(principal).list(request)),
    ...deps.owner,
  }),
});

/** Reads the log of a day. */
export const getDailyLog = defineOperation({
  name: 'get_daily_log',
  title: 'Get the log of a day',
  description: 'Returns the entries and the summary of a day; an empty log for a day without one.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_daily_log,
  example: {
    input: { date: exampleEntry.date },
    output: {
      date: exampleEntry.date,
      file_path: exampleEntry.source_file,
      entries: [exampleEntry.id],
      items: [exampleEntry],
      summary: null,
      created_at: '2026-02-14T00:00:00.000Z',
    },
  },
  route: {
    method: 'get',
    path: `${ROOT}/daily/:date`,
    summary: 'Answers the log of a day; an empty one for a day without.',
  },
  run: ({ date }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).daily(date),
});

/** Reads an entry by its id. */
export const getEntry = defineOperation({
  name: 'get_entry',
  title: 'Get a memory',
  description: 'Returns one entry by its id.',
  effect: 'reads',
  scope: 'none',
  ...contract.get_entry,
  example: { input: { id: exampleEntry.id }, output: exampleEntry },
  route: { method: 'get', path: `${ROOT}/entries/:id`, summary: 'Answers one entry.', errors: ['not_found'] },
  run: ({ id, session }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).get(id, session),
});

/** Changes an entry in its file. */
export const updateEntry = defineOperation({
  name: 'update_entry',
  title: 'Change a memory',
  description:
    'Replaces the text, type or metadata of an entry in its file; everything else there stays as it is. Returns the entry.',
  effect: 'replaces',
  scope: 'none',
  ...contract.update_entry,
  example: { input: { id: exampleEntry.id, content: exampleEntry.content }, output: exampleEntry },
  route: {
    method: 'patch',
    path: `${ROOT}/entries/:id`,
    summary: 'Replaces the text, type or metadata of an entry.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ id, ...request }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).update(id, request),
});

/** Deletes an entry from its file. */
export const deleteEntry = defineOperation({
  name: 'delete_entry',
  title: 'Delete a memory',
  description: 'Removes an entry from its file and from the index.',
  effect: 'deletes',
  scope: 'none',
  ...contract.delete_entry,
  example: { input: { id: exampleEntry.id }, output: { id: exampleEntry.id, deleted: true } },
  route: {
    method: 'delete',
    path: `${ROOT}/entries/:id`,
    summary: 'Removes an entry from its file and from the index.',
    errors: [...writeErrors, 'not_found'],
  },
  run: ({ id, session }, { deps, principal }: AgentMemoryContext) => deps.memoryFor(principal).delete(id, session),
});
