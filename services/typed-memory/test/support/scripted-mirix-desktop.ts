import {
  type KeptItem,
  keepMessage,
  type MirixCallRecord,
  type MirixState,
  type Reply,
  type Routes,
} from './scripted-mirix-state.ts';

const NEWEST = 50;

/** How each list shows its items; none has an id. */
const lists: Readonly<Record<string, readonly [type: string, show: (item: KeptItem) => object]>> = {
  '/memory/episodic': [
    'episodic',
    ({ text }) => ({
      timestamp: '2026-03-01T10:00:00',
      summary: text,
      details: text,
      event_type: 'chat',
      tree_path: [],
    }),
  ],
  '/memory/semantic': ['semantic', ({ text }) => ({ title: text.slice(0, 10), type: 'semantic', summary: text })],
  '/memory/procedural': [
    'procedural',
    ({ text }) => ({ title: 'guide', type: 'procedural', summary: text, steps: text.split(', then ') }),
  ],
  '/memory/resources': [
    'resource',
    ({ text }) => ({ filename: 'a.pdf', type: 'pdf', summary: text, last_accessed: '2026-03-02T00:00:00', size: null }),
  ],
  '/memory/credentials': [
    'knowledge_vault',
    ({ text }) => ({ caption: 'A caption', sensitivity: 'low', content: text }),
  ],
};

/** The backend of the older desktop application: whoever is named, it reads and writes the memories of its active user. */
export function createDesktopRoutes(state: MirixState): Routes {
  const { users, items } = state;

  const findActive = () => [...users.values()].find(({ status }) => status === 'active') ?? [...users.values()][0];

  function sendMessage({ body }: MirixCallRecord, own: string): Reply {
    const message = String(body['message']);
    if (body['memorizing'] !== true) return { json: { response: `You said: ${message}`, status: 'success' } };
    keepMessage(state, own, message);
    return { json: { response: '', status: 'success' } };
  }

  function listCore(own: string): Reply {
    const facts = (items.get(own) ?? []).filter(({ type }) => type === 'core').map(({ text }) => text);
    const block = { aspect: 'human', understanding: facts.join('\n'), last_updated: null };
    return { json: facts.length === 0 ? [] : [block] };
  }

  return (call) => {
    const own = findActive()?.name ?? '';
    const route = `${call.method} ${call.path}`;
    if (route === 'GET /health') return { json: { status: 'healthy', agent_initialized: true, timestamp: 'now' } };
    if (route === 'GET /users') return { json: { users: [...users.values()] } };
    if (route === 'POST /send_message') return sendMessage(call, own);
    if (route === 'GET /memory/core') return listCore(own);
    const [type, show] = lists[call.path] ?? [];
    if (type === undefined || show === undefined || call.method !== 'GET') return undefined;
    const shown = (items.get(own) ?? []).filter((item) => item.type === type).reverse();
    return { json: shown.slice(0, NEWEST).map(show) };
  };
}
