import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonObject } from '@contextloom/contracts';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { type RunningServers, startServers } from './running-servers.ts';

const user_id = 'ann';
/** Some nine seconds: each memory of a source that begins so ends that long after it was stored. */
const PRIVACY = { expires: [{ after_days: 0.0001, sources: ['diary*'] }] };

let { call, rest, stop } = {} as RunningServers;
beforeAll(async () => {
  ({ call, rest, stop } = await startServers({ userId: user_id, privacy: PRIVACY }));
}, 300_000);
afterAll(() => stop());

/** Every way by which memories of a source come, and where they are looked for then. */
const DOORS: Readonly<Record<string, (source: string, text: string) => Promise<unknown>>> = {
  process_transcript: (transcript_id, said) =>
    call('memory-processor__process_transcript', { user_id, transcript_id, conversation_history: `Ann: ${said}` }),
  'process_transcript as a job': (transcript_id, said) =>
    call('memory-processor__process_transcript', {
      user_id,
      transcript_id,
      conversation_history: `Ann: ${said}`,
      wait: false,
    }),
  store_conversation_memory: (transcript_id, content) =>
    call('store_conversation_memory', {
      user_id,
      transcript_id,
      conversation_history: [{ role: 'user', content }],
    }),
  add_documents: (transcript, content) =>
    call('knowledge-base__add_documents', { documents: [{ content, metadata: { user_id, transcript } }] }),
  'post add': (source, content) => rest('POST', '/add', { content, metadata: { user_id, source } }),
  add_event: (source, description) =>
    call('personal-memory__add_event', { user_id, event_type: 'activity', description, metadata: { source } }),
  // What hooks of coding agents call.
  'mem.ingest_memory': (project_name, content) =>
    call('agent-mem__mem_ingest_memory', { project_name, content_type: 'insight', content }),
  'remember in a project': (project, text) => call('remember', { user_id, text, project }),
  add_entry: (source, content) => call('agent-memory__add_entry', { content, metadata: { source } }),
};

const toWord = (endpoint: string, source: string): string => `${source}${endpoint.replace(/[^a-z]/giu, '')}word`;

/** What all stores find and list, as text. */
async function tellAll(word: string): Promise<string> {
  const asked: readonly (readonly [tool: string, args: JsonObject])[] = [
    ['knowledge-base__search_documents', { query: word, user_id }],
    ['knowledge-base__list_documents', { user_id, limit: 100 }],
    ['personal-memory__search_events', { user_id }],
    ['agent-mem__mem_search', { query: word }],
    ['agent-mem__mem_timeline', { days: 30 }],
    ['agent-memory__list_entries', {}],
    ['agent-memory__load_context', {}],
  ];
  const answers = await Promise.all(asked.map(([tool, args]) => call(tool, args)));
  // A search tells what it was asked.
  return JSON.stringify(answers.map(({ query: _, ...answer }) => answer));
}

it('ends what comes of a source by whatever door, and nothing of another source', async () => {
  for (const [endpoint, store] of Object.entries(DOORS)) {
    for (const source of ['diary', 'letters']) {
      await store(`${source}-${endpoint.replace(/[^a-z]/giu, '')}`, `The gate is called ${toWord(endpoint, source)}.`);
    }
  }
  for (const endpoint of Object.keys(DOORS)) {
    const [ends, stays] = [toWord(endpoint, 'diary'), toWord(endpoint, 'letters')];
    // The job is done by then, and both came at the same time: this one is there, and the other was.
    while (!(await tellAll(stays)).includes(stays)) await sleep(100);
    while ((await tellAll(ends)).includes(ends)) await sleep(500);
    expect(await tellAll(stays)).toContain(stays);
  }
}, 300_000);
