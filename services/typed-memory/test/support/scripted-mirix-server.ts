import {
  type KeptItem,
  keepMessage,
  type MirixCallRecord,
  type MirixState,
  type Reply,
  type Routes,
} from './scripted-mirix-state.ts';

const failed = (status: number, detail: string): Reply => ({ status, json: { detail } });
const when = { created_at: '2026-03-10T08:00:00', updated_at: '2026-03-11T08:00:00' };

/** An item as a search shows it; resources are cut. */
function toFound({ id, type, text }: KeptItem): Record<string, unknown> {
  const shared = { memory_type: type, id };
  if (type === 'episodic') return { ...shared, timestamp: '2026-03-01T10:00:00', summary: text, details: text };
  if (type === 'procedural') return { ...shared, entry_type: 'guide', summary: text, steps: text.split(', then ') };
  if (type === 'resource') return { ...shared, title: 'A resource', summary: 'Short', content: text.slice(0, 200) };
  if (type === 'knowledge_vault') return { ...shared, caption: 'A caption', secret_value: text, sensitivity: 'high' };
  return { ...shared, name: text.slice(0, 10), summary: text, details: null };
}

function toListed(item: KeptItem): Record<string, unknown> {
  const { memory_type: _, timestamp, ...shown } = toFound(item);
  return { ...shown, ...(item.type === 'resource' && { content: item.text }), occurred_at: timestamp, ...when };
}

/** The blocks that are always in its agent's context: about the person one line a fact, and about the assistant. */
function toBlocks(items: readonly KeptItem[]): readonly Record<string, unknown>[] {
  const facts = items.filter(({ type }) => type === 'core').map(({ text }) => text);
  if (items.length === 0) return [];
  return [
    { id: 'block-human', label: 'human', value: facts.join('\n') },
    { id: 'block-persona', label: 'persona', value: 'I am a helpful assistant.' },
  ];
}

/** The shares of words are counted roughly: a word of the query somewhere in the text will do. */
const matches = (query: string, text: string): boolean =>
  query
    .toLowerCase()
    .split(/\s+/u)
    .some((word) => text.toLowerCase().includes(word));

function toComponents(items: readonly KeptItem[], type: string, limit: number): Record<string, unknown> {
  const names = ['episodic', 'semantic', 'procedural', 'resource', 'knowledge_vault'];
  const lists = names.map((name) => {
    const some = items.filter((item) => item.type === name).reverse();
    return [name, { total_count: some.length, items: some.slice(0, limit).map(toListed) }] as const;
  });
  const blocks = toBlocks(items);
  const core = { total_count: blocks.length, scopes: { 'read-write': { items: blocks } } };
  const all = { ...Object.fromEntries(lists), core };
  return type === 'all' ? all : { [type]: all[type as 'core'] };
}

/** The server of today: a key on every call but `/health`, users by id, one agent a key. */
export function createServerRoutes(state: MirixState): Routes {
  const { apiKey, users, items, agents } = state;

  function add({ body }: MirixCallRecord, status: string): Reply {
    const [agent] = agents;
    if (agent === undefined || body['meta_agent_id'] !== agent) return failed(404, 'Agent not found');
    const [message] = body['messages'] as readonly { role: string; content: string }[];
    keepMessage(state, String(body['user_id']), message?.content ?? '');
    return { json: { success: true, message: 'ok', status, agent_id: agent, message_count: 1 } };
  }

  function search({ query }: MirixCallRecord): Reply {
    if (agents.length === 0) return { json: { success: false, error: 'No agents found', results: [], count: 0 } };
    const userId = query.get('user_id') ?? '';
    const own = items.get(userId) ?? [];
    const limit = Number(query.get('limit') ?? 10);
    const isByWords = query.get('search_method') === 'bm25';
    const types = [...new Set(own.map(({ type }) => type))].filter((type) => type !== 'core');
    const found = types.flatMap((type) =>
      own
        .filter((item) => item.type === type && (!isByWords || matches(query.get('query') ?? '', item.text)))
        .slice(0, limit)
        .map(toFound),
    );
    const core = toBlocks(own).map((block) => ({ memory_type: 'core', user_id: userId, ...block }));
    const results = query.get('include_core_memory') === 'true' ? [...found, ...core] : found;
    return { json: { success: true, results, count: results.length } };
  }

  function list({ query }: MirixCallRecord): Reply {
    const userId = query.get('user_id') ?? '';
    if (!users.has(userId)) return failed(500, 'NoResultFound');
    if (agents.length === 0) return failed(404, 'No agents found for this client');
    const limit = Math.min(200, Number(query.get('limit') ?? 50));
    const memories = toComponents(items.get(userId) ?? [], query.get('memory_type') ?? 'all', limit);
    return { json: { success: true, user_id: userId, limit, memories } };
  }

  function initialize({ body }: MirixCallRecord): Reply {
    const config = body['config'] as Record<string, unknown> | undefined;
    if (config?.['llm_config'] === undefined || config['embedding_config'] === undefined)
      return failed(500, 'KeyError');
    if (agents.length === 0) agents.push('agent-1');
    return { json: { id: agents[0], name: 'meta_memory_agent' } };
  }

  function createOrGet({ body }: MirixCallRecord): Reply {
    const id = String(body['user_id']);
    const user = users.get(id) ?? { id, name: String(body['name']), status: 'active' };
    users.set(id, user);
    return { json: { ...user, is_deleted: false, timezone: 'UTC' } };
  }

  return (call) => {
    const route = `${call.method} ${call.path}`;
    if (route === 'GET /health') return { json: { status: 'healthy', service: 'mirix-api' } };
    if (call.apiKey !== apiKey) return failed(401, 'Invalid API key');
    if (route === 'POST /users/create_or_get') return createOrGet(call);
    if (route === 'POST /agents/meta/initialize') return initialize(call);
    if (route === 'POST /memory/add_sync') return add(call, 'processed');
    if (route === 'POST /memory/add') return add(call, 'queued');
    if (route === 'GET /memory/search') return search(call);
    if (route === 'GET /memory/components') return list(call);
    return undefined;
  };
}
