import type { JsonObject, JsonValue } from '@contextloom/contracts';
import { findBytes } from '@contextloom/testing/find-bytes';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { type RunningServers, startServers } from './running-servers.ts';

/** What a person says through a door: a word that is kept, and one in two scripts that is not. */
interface Words {
  readonly open: string;
  readonly secret: readonly string[];
  readonly said: string;
}

function toWords(endpoint: string): Words {
  const name = endpoint.replace(/[^a-z]/giu, '').toLowerCase();
  const [open, secret] = [`openword${name}`, [`hushword${name}`, `秘密${name}暗号`]] as const;
  return { open, secret, said: `The ${open} is blue. <private>${secret.join(' and ')}</private>` };
}

/** The same of words that are masked: two expressions, and an address that is one of a kind. */
function toMasked(endpoint: string): Words {
  const name = endpoint.replace(/[^a-z]/giu, '').toLowerCase();
  const [open, secret] = [`plainword${name}`, [`falcon${name}`, `猎鹰${name}计划`, `${name}@hidden.example`]] as const;
  return { open, secret, said: `The ${open} is blue, as ${secret.join(' and ')} told us.` };
}
const PRIVACY = { masks: [{ kinds: ['e-mail address'], expressions: ['falcon\\w*', '猎鹰\\w*计划'] }] };

let { data, call, rest, stop } = {} as RunningServers;

const user_id = 'ann';
const metadata = { user_id };
const toLine = (record: object): string => `${JSON.stringify(record)}\n`;

async function importLines(service: string, said: string): Promise<void> {
  const { lines, format, version } = await call(`${service}__export_user`, { user_id });
  const written = String(lines).replaceAll('seedword', JSON.stringify(said).slice(1, -1));
  const given = written.replaceAll('"seed-id"', '"seed-id-2"');
  await call(`${service}__forget_user`, { user_id, dry_run: false });
  const { imported } = await call(`${service}__import_user`, {
    user_id,
    format: format ?? null,
    version: version ?? null,
    lines: given,
  });
  expect(imported).toBeGreaterThan(0);
}

async function firstEntity(name: string): Promise<JsonValue> {
  const { entity_id = null } = await call('personal-memory__create_entity', { user_id, entity_type: 'pet', name });
  return entity_id;
}

/** Every way by which words become stored. */
const DOORS: Readonly<Record<string, (said: string) => Promise<unknown>>> = {
  remember: (text) => call('remember', { user_id, text }),
  'remember in a project': (text) => call('remember', { user_id, text, project: 'boats' }),
  update_memory: async (text) => {
    const { id = null } = await call('remember', { user_id, text: 'The fence is green.', kind: 'note' });
    await call('update_memory', { user_id, id, text });
  },
  store_conversation_memory: (said) =>
    call('store_conversation_memory', { user_id, conversation_history: `Ann: ${said}\nMarlow: I see.` }),
  'a conversation as messages': (content) =>
    call('store_conversation_memory', { user_id, conversation_history: [{ role: 'user', content }] }),
  'a conversation as a job': (content) =>
    call('store_conversation_memory', {
      user_id,
      conversation_history: [{ role: 'user', content }],
      wait: false,
    }),
  process_transcript: (said) =>
    call('memory-processor__process_transcript', { user_id, conversation_history: `Ann: ${said}` }),
  add_document: (content) => call('knowledge-base__add_document', { content, metadata }),
  add_documents: (content) => call('knowledge-base__add_documents', { documents: [{ content, metadata }] }),
  'metadata and keys': (said) =>
    call('knowledge-base__add_document', { content: said, keys: [said], metadata: { ...metadata, note: [said] } }),
  update_document: async (content) => {
    await call('knowledge-base__add_document', { doc_id: 'fence', content: 'The fence is red.', metadata });
    await call('knowledge-base__update_document', { doc_id: 'fence', user_id, content });
  },
  'post add': (content) => rest('POST', '/add', { content, metadata }),
  'post batch': (content) => rest('POST', '/batch_add', [{ content, metadata }]),
  'patch document': async (content) => {
    await rest('POST', '/add', { id: 'gate', content: 'The gate is red.', metadata });
    await rest('PATCH', `/documents/gate?user_id=${user_id}`, { content });
  },
  memory_add: (content) => call('typed-memory__memory_add', { content, memory_type: 'semantic' }),
  memory_update: async (content) => {
    const added = await call('typed-memory__memory_add', { content: 'The roof is grey.', memory_type: 'semantic' });
    await call('typed-memory__memory_update', { memory_id: added['memory_id'] ?? null, content });
  },
  add_event: (description) => call('personal-memory__add_event', { user_id, event_type: 'activity', description }),
  update_profile: (value) => call('personal-memory__update_profile', { user_id, key: 'colour', value }),
  create_entity: (said) =>
    call('personal-memory__create_entity', { user_id, entity_type: 'pet', name: said, attributes: { note: said } }),
  update_entity: async (said) =>
    call('personal-memory__update_entity', {
      user_id,
      entity_id: await firstEntity('Biscuit'),
      attributes: { note: said },
    }),
  add_graph: (said) =>
    call('personal-memory__add_graph', {
      user_id,
      import_id: '43c26368ad68',
      entities: [{ name: 'Ben', kind: 'person', observations: [said] }],
      relations: [],
    }),
  import_data: (value) =>
    call('personal-memory__import_data', {
      user_id,
      format: 'json',
      data: JSON.stringify({
        format: 'contextloom-personal-memory',
        version: 1,
        profile: [{ key: `fence ${value.length}`, value, updated_at: '2026-03-02T09:30:00.000Z' }],
      }),
    }),
  'import_user of documents': async (said) => {
    await call('knowledge-base__add_document', { content: 'seedword', metadata });
    await importLines('knowledge-base', said);
  },
  'mem.ingest_memory': (content) =>
    call('agent-mem__mem_ingest_memory', { project_name: 'boats', content_type: 'insight', content }),
  add_entry: (content) => call('agent-memory__add_entry', { content, content_type: 'decision' }),
  'add_entry for long': (content) => call('agent-memory__add_entry', { content, long_term: true }),
};

beforeAll(async () => {
  ({ data, call, rest, stop } = await startServers({ userId: user_id, privacy: PRIVACY }));
}, 300_000);

afterAll(() => stop());

describe('what is marked as private', () => {
  it.each(Object.entries(DOORS))(
    'is in no file after %s, and the rest is kept',
    async (endpoint, store) => {
      const { said, secret, open } = toWords(endpoint);
      await store(said);
      expect(findBytes(data, secret)).toEqual([]);
      expect(findBytes(data, [open])).not.toEqual([]);
    },
    200_000,
  );

  it.each(Object.entries(DOORS))(
    'is masked in all files after %s, and the rest is kept',
    async (endpoint, store) => {
      const { said, secret, open } = toMasked(endpoint);
      await store(said);
      expect(findBytes(data, secret)).toEqual([]);
      expect(findBytes(data, [open])).not.toEqual([]);
    },
    200_000,
  );

  it.each(
    Object.keys(DOORS).filter(
      (endpoint) => !/import|graph|conversation|transcript|metadata|create_entity/.test(endpoint),
    ),
  )(
    'is refused by %s where it is all there is',
    async (endpoint) => {
      const { secret } = toWords(`all ${endpoint}`);
      for (const said of [`<private>${secret.join(' ')}</private>`, `Off the record: ${secret.join(' ')}`]) {
        await expect(DOORS[endpoint]?.(said)).rejects.toThrow();
      }
      expect(findBytes(data, secret)).toEqual([]);
    },
    200_000,
  );

  it('is said to be all of a conversation of nothing else', async () => {
    for (const conversation_history of [
      [{ role: 'user', content: '<private>hushall</private>' }],
      'Ann: <private>hushall</private>',
      '别记：hushall',
      toLine({ role: 'user', content: 'Off the record: hushall' }),
    ]) {
      for (const wait of [true, false]) {
        const storing = call('store_conversation_memory', { user_id, conversation_history, wait });
        await expect(storing).rejects.toThrow('everything in the conversation is marked as private');
      }
    }
    expect(findBytes(data, ['hushall'])).toEqual([]);
  });

  it('is a conversation as a whole where it is not to be stored', async () => {
    const conversation_history = [{ role: 'user', content: 'The hushwhole is 秘密整段暗号.' }];
    for (const tool of ['store_conversation_memory', 'memory-processor__process_transcript'])
      for (const wait of [true, false]) {
        const answer = await call(tool, { user_id, conversation_history, store: false, wait });
        expect(answer).toMatchObject({ memories_saved: 0, message: 'Nothing was stored: store is false.' });
        expect(answer).not.toHaveProperty('job_id');
      }
    expect(findBytes(data, ['hushwhole', '秘密整段暗号'])).toEqual([]);
  });

  it('is a word like another in a document of nobody', async () => {
    const content = '<class><private>int x;</private></class>';
    await call('knowledge-base__add_document', { doc_id: 'code', content });
    await expect(call('knowledge-base__get_document', { doc_id: 'code' })).resolves.toMatchObject({
      document: { content },
    });
  });

  it('is no concern of what only asks: a question is in no file either', async () => {
    const question = 'Where is the hushquestion, 秘密提问暗号?';
    const conversation = [{ role: 'user', content: question }];
    await call('remember', { user_id, text: 'The bell is by the door.', kind: 'note' });
    const asked: readonly (readonly [tool: string, args: JsonObject])[] = [
      ['build_prompt_with_context', { persona_name: 'marlow', user_id, user_query: question, conversation }],
      ['recall', { user_id, query: question }],
      ['get_user_memories', { user_id, query: question }],
      ['extract_memories', { conversation_history: conversation }],
      ['store_conversation_memory', { user_id, conversation_history: conversation, dry_run: true }],
      ['knowledge-base__search_documents', { query: question, user_id }],
      ['typed-memory__memory_search', { query: question }],
      ['personal-memory__search_events', { user_id, query: question }],
      ['agent-memory__search_entries', { query: question }],
      ['agent-mem__mem_search', { query: question, project_name: 'boats' }],
    ];
    for (const [tool, args] of asked) await call(tool, args);
    expect(findBytes(data, ['hushquestion', '秘密提问暗号'])).toEqual([]);
  }, 200_000);
});
