import type { Log } from '@contextloom/runtime';
import type { ClientCapabilities } from '@modelcontextprotocol/client';
import type { Item, ListKind, Provider } from '../messages/provider.ts';
import { type Exposure, isExposed } from './access-policy.ts';
import { createNamespace, type Namespace } from './namespace.ts';
import { toUriKeys } from './uri-keys.ts';

/** A provider, and what of it is offered to a caller under which names. */
export interface Exposed {
  readonly provider: Provider;
  readonly exposure: Exposure;
  readonly namespace: Namespace;
}

/** Adds the names that an exposure gives; `id` stands for the server in them. */
export function toExposed(provider: Provider, exposure: Exposure, id = provider.name): Exposed {
  const { prefix, rename } = exposure;
  return { provider, exposure, namespace: createNamespace({ server: id, prefix, rename }) };
}

/** An entry of the joint list: what clients see, and where it is. */
export interface Entry {
  readonly provider: Provider;
  /** As its server wrote it, but for its name. */
  readonly shown: Item;
  /** Its name, or its URI, at its own server. */
  readonly own: string;
}

/** What a catalogue is made from. */
export interface CatalogueOptions {
  readonly exposed: readonly Exposed[];
  /** Whether the caller may use what changes something. */
  readonly mayWrite: boolean;
  /** What the client can do. */
  readonly capabilities: ClientCapabilities;
  readonly log: Log;
}

/** The lists of all providers as one. */
export interface Catalogue {
  readonly list: (kind: ListKind) => Promise<readonly Entry[]>;
  /** Finds by the name or URI that clients use; asks the servers again before it gives up. */
  readonly find: (kind: ListKind, key: string) => Promise<Entry | undefined>;
  /** Waits for servers that may have it and have listed nothing yet. */
  readonly settle: (kind: ListKind, key: string, signal: AbortSignal) => Promise<Settled>;
}

/** Whether lists came that were not there before, and why others did not. */
export interface Settled {
  readonly isChanged: boolean;
  /** Such as "wiki did not answer within 600000 ms". */
  readonly problems: readonly string[];
}

const keyFields: Readonly<Record<ListKind, string>> = {
  tools: 'name',
  prompts: 'name',
  resources: 'uri',
  resourceTemplates: 'uriTemplate',
};

/** Joins providers. The first to bring a name has it: that two do is found when the aggregator starts, where it can be. */
export function createCatalogue({ exposed, mayWrite, capabilities, log }: CatalogueOptions): Catalogue {
  const known = new Map<ListKind, ReadonlyMap<string, Entry>>();
  const servers = exposed.map(({ provider }) => provider.name);

  async function read(kind: ListKind): Promise<ReadonlyMap<string, Entry>> {
    const lists = await Promise.all(exposed.map((one) => readNames(one, kind, { mayWrite, capabilities })));
    const named = lists.flat();
    const keys = hasNames(kind) ? undefined : toUriKeys(named, { ours: await listOurUris(exposed), servers });
    const joined = new Map<string, Entry>();
    for (const one of named) {
      const { provider, name, own, item } = one;
      const key = keys?.get(one) ?? name;
      if (joined.has(key)) log.warn({ server: provider.name, name }, `${name} is offered by another server already`);
      else joined.set(key, { provider, own, shown: key === own ? item : { ...item, [keyFields[kind]]: key } });
    }
    known.set(kind, joined);
    return joined;
  }

  return {
    list: async (kind) => [...(await read(kind)).values()],
    find: async (kind, key) => known.get(kind)?.get(key) ?? (await read(kind)).get(key),
    settle: async (kind, key, signal) => {
      const possible = exposed.filter((one) => mayHave(one, kind, key));
      const waited = await Promise.all(
        possible.map(async ({ provider }) => ({
          provider,
          first: await provider.firstList(kind, capabilities, signal),
        })),
      );
      return {
        isChanged: waited.some(({ first }) => first === 'came'),
        problems: waited.flatMap(({ provider, first }) =>
          typeof first === 'string' ? [] : [`${provider.name} ${first.reason}`],
        ),
      };
    },
  };
}

/** Whether a server can have something under a name; a URI says nothing of its server. */
const mayHave = ({ namespace }: Exposed, kind: ListKind, key: string): boolean =>
  !hasNames(kind) || namespace.mayName(key);

const hasNames = (kind: ListKind): boolean => kind === 'tools' || kind === 'prompts';

/** The URIs and templates of servers that are not foreign. */
async function listOurUris(exposed: readonly Exposed[]): Promise<readonly string[]> {
  const ours = exposed.filter(({ provider }) => provider.trust !== 'third-party');
  const kinds = ['resources', 'resourceTemplates'] as const;
  const lists = await Promise.all(
    ours.flatMap(({ provider }) =>
      kinds.map(async (kind) => (await provider.list(kind, {})).map((item) => String(item[keyFields[kind]]))),
    ),
  );
  return lists.flat();
}

/** An entry of one server's list, and its name or URI there and for clients. */
interface Named {
  readonly provider: Provider;
  readonly item: Item;
  readonly own: string;
  readonly name: string;
}

/** What one server has of what is offered, with the names that clients see. */
export async function readNames(
  { provider, exposure, namespace }: Exposed,
  kind: ListKind,
  { mayWrite = true, capabilities = {} }: Partial<Pick<CatalogueOptions, 'mayWrite' | 'capabilities'>> = {},
): Promise<readonly Named[]> {
  const offered = (await provider.list(kind, capabilities)).filter((item) => isExposed(item, kind, exposure, mayWrite));
  const own = offered.map((item) => String(item[keyFields[kind]]));
  const names = hasNames(kind) ? namespace.name(own) : own;
  return offered.map((item, at) => ({ provider, item, own: own[at] ?? '', name: names[at] ?? '' }));
}
