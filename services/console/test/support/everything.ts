import { setTimeout as delay } from 'node:timers/promises';

type Call = <T>(name: string, args: object) => Promise<T>;

const PERSONAL = 'personal-memory__';
const PROCESSOR = 'memory-processor__';
const HONEY = [
  { role: 'user', content: 'I keep bees behind the old chapel, and sell the honey on Saturdays.' },
  { role: 'assistant', content: 'How many hives?' },
  { role: 'user', content: 'Four. The honey of the first one tastes of heather.' },
];

async function fillThings(call: Call, user_id: string): Promise<void> {
  const create = async (entity_type: string, name: string, attributes = {}): Promise<number> => {
    const args = { user_id, entity_type, name, attributes };
    return (await call<{ readonly entity_id: number }>(`${PERSONAL}create_entity`, args)).entity_id;
  };
  const heron = await create('vehicle', 'Heron', { length: '6 m', berth: 'Leith', built: 1974 });
  const ros = await create('person', 'Ros');
  const owns = { entity_id_1: ros, entity_id_2: heron, relation_type: 'owns' };
  await call(`${PERSONAL}create_entity_relation`, { user_id, ...owns });
  for (const month of ['01', '02', '04']) {
    const about = { related_entity_ids: [heron], metadata: { cost: 40 }, tags: ['sea'] };
    const event = { event_type: 'maintenance', description: `Heron was checked in month ${month}`, ...about };
    await call(`${PERSONAL}add_event`, { user_id, timestamp: `2026-${month}-10`, ...event });
  }
}

/** Imports a small file, and waits until that is done. */
async function fillImports(call: Call, user_id: string): Promise<void> {
  const data = Buffer.from('[2024-03-05]\nTess: I mend clocks.\nMia: Where?\n').toString('base64');
  const { upload } = await call<{ readonly upload: string }>(`${PROCESSOR}upload_import`, {
    user_id,
    name: 'chat.txt',
    data,
  });
  await call(`${PROCESSOR}start_import`, { user_id, upload, me: ['Tess'] });
  const isDone = async (): Promise<boolean> => {
    const { imports } = await call<{ readonly imports: readonly { readonly state: string }[] }>(
      ...([`${PROCESSOR}list_imports`, { user_id }] as const),
    );
    return imports.every(({ state }) => state === 'done');
  };
  while (!(await isDone())) await delay(50);
}

/** Gives a user something of everything that the page shows. */
export async function fillEverything(call: Call, user_id: string): Promise<void> {
  await call('remember', { user_id, text: 'I live in Leith.' });
  await call('remember', { user_id, text: 'I like rye bread.', kind: 'note' });
  await call('store_conversation_memory', { user_id, conversation_history: HONEY });
  const moved = (city: string) => [{ role: 'user', content: `I live in ${city} now.` }];
  for (const city of ['Bergen', 'Oslo']) {
    await call('store_conversation_memory', { user_id, conversation_history: moved(city), force_save: true });
  }
  await fillThings(call, user_id);
  await fillImports(call, user_id);
}
