import { EventEmitter, once } from 'node:events';
import { Client } from '@modelcontextprotocol/client';

/** What a client hears, in order. */
export interface Heard {
  readonly uris: readonly string[];
  readonly lists: number;
  /** Resolves when this was heard last. */
  readonly untilUpdated: (uri: string) => Promise<void>;
  readonly untilListed: () => Promise<void>;
}

/** Keeps what is told to it. */
export function hear(): Heard & { readonly onUpdated: (uri: string) => void; readonly onListed: () => void } {
  const updates = new EventEmitter();
  const heard = { uris: [] as string[], lists: 0 };
  const wait = async (name: string, isHeard: () => boolean): Promise<void> => {
    if (!isHeard()) await once(updates, name);
  };
  return {
    get uris() {
      return heard.uris;
    },
    get lists() {
      return heard.lists;
    },
    onUpdated: (uri) => {
      heard.uris.push(uri);
      updates.emit(uri);
    },
    onListed: () => {
      heard.lists += 1;
      updates.emit('listed');
    },
    untilUpdated: (uri) => wait(uri, () => heard.uris.at(-1) === uri),
    untilListed: () => wait('listed', () => heard.lists > 0),
  };
}

/** Connects a client that keeps what it hears. */
export async function connectListening(
  transport: Parameters<Client['connect']>[0],
  mode: 'legacy' | { pin: string },
): Promise<{ client: Client; heard: Heard }> {
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  const heard = hear();
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.onUpdated(params.uri);
  });
  client.setNotificationHandler('notifications/resources/list_changed', heard.onListed);
  await client.connect(transport);
  return { client, heard };
}
