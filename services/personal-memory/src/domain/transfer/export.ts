import { toEntityAddress, toEventAddress, toFactAddress, toPastAddress, toRelationAddress } from '../addresses.ts';
import type { Entity, MemoryEvent, Relation } from '../model.ts';
import { readEntityPages, readEventPages } from '../pages.ts';
import type { MemoryReader } from '../store.ts';
import { toIso } from '../times.ts';
import { toClaims } from './claims.ts';
import type { MemoryDocument } from './document.ts';
import { renumberSources } from './sources.ts';

type Numbers = ReadonlyMap<number, number>;

function keepIds(things: readonly { readonly id: number }[]): Numbers {
  return new Map(things.map(({ id }) => [id, id]));
}

function numberFromOne(things: readonly { readonly id: number }[]): Numbers {
  return new Map(things.map(({ id }, at) => [id, at + 1]));
}

async function readAll<T>(pages: AsyncIterable<readonly T[]>): Promise<readonly T[]> {
  const all: T[] = [];
  for await (const page of pages) all.push(...page);
  return all;
}

/** Writes what something was drawn from, with the numbers of the document, and when it ends. */
type ToSources = (address: string) => { readonly derived_from?: string[]; readonly expires_at?: string };

/** What a memory has of its parts by their addresses. */
interface ByAddress {
  readonly all: ReadonlyMap<string, readonly string[]>;
  readonly ends: ReadonlyMap<string, number>;
}

function createToSources({ all, ends }: ByAddress, events: Numbers, entities: Numbers): ToSources {
  const numbers = { event: (id: number) => events.get(id), entity: (id: number) => entities.get(id) };
  return (address) => {
    const sources = renumberSources(all.get(address) ?? [], numbers);
    const end = ends.get(address);
    return {
      ...(sources.length > 0 && { derived_from: [...sources] }),
      ...(end !== undefined && { expires_at: toIso(end) }),
    };
  };
}

/** The numbers of entities in a document, and how it tells what something was drawn from. */
interface Numbering {
  readonly numbers: Numbers;
  readonly toSources: ToSources;
}

function toEntities(entities: readonly Entity[], { numbers, toSources }: Numbering): MemoryDocument['entities'] {
  return entities.map(({ id, type, name, aliases, attributes, tags, status, createdAt, updatedAt }) => ({
    entity: numbers.get(id) ?? 0,
    entity_type: type,
    name,
    aliases: [...aliases],
    attributes,
    tags: [...tags],
    status,
    created_at: toIso(createdAt),
    updated_at: toIso(updatedAt),
    ...toSources(toEntityAddress(id)),
  }));
}

/** Leaves out relations to entities that are not in the document, and to the same entity: older imports may have stored some. */
function toRelations(relations: readonly Relation[], { numbers, toSources }: Numbering): MemoryDocument['relations'] {
  return relations.flatMap(({ id, entityIds: [first, second], type, metadata, createdAt }) => {
    const [one, other] = [numbers.get(first), numbers.get(second)];
    if (one === undefined || other === undefined || one === other) return [];
    const ends = { entity_1: one, entity_2: other, relation_type: type };
    return [{ ...ends, metadata, created_at: toIso(createdAt), ...toSources(toRelationAddress(id)) }];
  });
}

interface EventNumbers {
  readonly numbers: Numbers;
  readonly entityNumbers: Numbers;
  readonly toSources: ToSources;
}

function toEvents(
  events: readonly MemoryEvent[],
  { numbers, entityNumbers, toSources }: EventNumbers,
): MemoryDocument['events'] {
  return events.map(({ id, type, description, entityIds, metadata, tags, time, importance, parentId }) => ({
    event: numbers.get(id) ?? 0,
    event_type: type,
    description,
    // An entity that was created during the export is not in it.
    entities: entityIds.flatMap((entityId) => entityNumbers.get(entityId) ?? []),
    metadata,
    tags: [...tags],
    timestamp: toIso(time),
    importance,
    parent: parentId === null ? null : (numbers.get(parentId) ?? null),
    ...toSources(toEventAddress(id)),
  }));
}

/**
 * Writes a user's memory as a document; the same memory always becomes the same document. Its numbers go from 1 on, or are the
 * ids of the memory.
 */
export async function toDocument(memory: MemoryReader, numbering: 'new' | 'own' = 'new'): Promise<MemoryDocument> {
  const toNumbers = numbering === 'own' ? keepIds : numberFromOne;
  const entities = await readAll(readEntityPages(memory));
  const events = [...(await readAll(readEventPages(memory, {})))].sort((a, b) => a.id - b.id);
  const numbers = toNumbers(entities);
  const eventNumbers = toNumbers(events);
  const toSources = createToSources(
    { all: await memory.allSources(), ends: await memory.ends() },
    eventNumbers,
    numbers,
  );
  return {
    format: 'contextloom-personal-memory',
    version: 1,
    profile: (await memory.profile()).map(({ updatedAt, tags, ...entry }) => ({
      ...entry,
      tags: [...tags],
      updated_at: toIso(updatedAt),
      ...toSources(toFactAddress(entry.key)),
    })),
    history: [...(await memory.history())]
      .reverse()
      .map(({ key, value, category, tags, confidence, change, changedAt }) => ({
        key,
        value,
        category,
        tags: [...tags],
        confidence,
        change,
        changed_at: toIso(changedAt),
        ...toSources(toPastAddress(key, value)),
      })),
    entities: toEntities(entities, { numbers, toSources }),
    relations: toRelations(await memory.relations(), { numbers, toSources }),
    events: toEvents(events, { numbers: eventNumbers, entityNumbers: numbers, toSources }),
    claims: await toClaims(memory, numbers),
  };
}
