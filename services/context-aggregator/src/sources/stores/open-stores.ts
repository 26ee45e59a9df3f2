import type { MemoryKind } from '@contextloom/contracts/aggregator';
import type { Upstreams } from '@contextloom/mcp-client';
import { KNOWLEDGE_BASE } from '../memories/memory-source.ts';
import { AGENT_MEMORY, openAgent } from './agent.ts';
import type { MemoryStore, StoreContext } from './memory-store.ts';
import { openNotes } from './notes.ts';
import { openEntities, openEvents, openFacts, PERSONAL_MEMORY } from './personal.ts';
import { openProject, PROJECT_MEMORY } from './project.ts';
import { openTyped, TYPED_MEMORY } from './typed.ts';

/** The stores that a composition has, of one user, in the order in which they are listed; a project where one is named. */
export function openStores(context: StoreContext): readonly MemoryStore[] {
  const { ask, project } = context;
  const stores = [
    ...[openFacts, openEvents, openNotes, openTyped, openEntities, openAgent].map((open) => open(context)),
    ...(project === undefined ? [] : [openProject({ ...context, project })]),
  ];
  return stores.filter(({ service }) => ask.has(service));
}

const services: Readonly<Record<MemoryKind, string>> = {
  fact: PERSONAL_MEMORY,
  event: PERSONAL_MEMORY,
  entity: PERSONAL_MEMORY,
  note: KNOWLEDGE_BASE,
  typed: TYPED_MEMORY,
  agent: AGENT_MEMORY,
  project: PROJECT_MEMORY,
};

/** The service that keeps a kind of memory. */
export const serviceOf = (kind: MemoryKind): string => services[kind];

/** The services of a composition that keep memories of users, besides the knowledge base. */
export function listOtherStores({ names, serviceOf: toService }: Pick<Upstreams, 'names' | 'serviceOf'>) {
  const there = new Set(names().map((name) => toService(name) ?? name));
  return [PERSONAL_MEMORY, TYPED_MEMORY, AGENT_MEMORY, PROJECT_MEMORY].filter((service) => there.has(service));
}

/** The store of one kind, if the composition has it. */
export function findStore(stores: readonly MemoryStore[], kind: MemoryKind): MemoryStore | undefined {
  return stores.find((store) => store.kind === kind);
}
