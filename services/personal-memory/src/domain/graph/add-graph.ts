import type { GraphCounts, GraphEntity, GraphPart, GraphRelation } from '@contextloom/contracts';
import type { EntityType } from '@contextloom/contracts/personal-memory';
import { toEntityAddress, toRelationAddress } from '../addresses.ts';
import type { MemoryContext } from '../context.ts';
import type { Entity } from '../model.ts';
import { toGoneRelation } from '../retractions.ts';
import type { Claim, MemoryWriter } from '../store.ts';
import { type EntityNames, readEntityNames, toEntityType } from './entity-names.ts';
import { toObservations } from './observations.ts';

/** What was added, and what was there already. */
export interface AddedGraph {
  readonly added: GraphCounts;
  readonly known: GraphCounts;
}

type Counted = keyof GraphCounts;
const zero = (): Record<Counted, number> => ({ entities: 0, observations: 0, relations: 0 });

/** What adding a graph works with. */
interface Adding {
  readonly writer: MemoryWriter;
  readonly names: EntityNames;
  readonly now: number;
  /** Counts a part, and keeps that it is the import's: as new, or as known to another import too. */
  readonly settle: (what: Counted, claim: Claim, isNew: boolean) => Promise<void>;
  /** Keeps that what an import has claimed is this import's as well. */
  readonly share: (claim: Claim) => Promise<void>;
}

/** So many sources at most are kept of what was drawn. */
const MAX_SOURCES = 64;

/** What rests on what it was drawn from rests on more of it now; what stands by itself goes on doing so. */
async function addSources(address: string, further: readonly string[] = [], { writer }: Adding): Promise<boolean> {
  const sources = await writer.sourcesOf(address);
  if (sources.length === 0) return false;
  const all = further.length === 0 ? [] : [...new Set([...sources, ...further])].slice(0, MAX_SOURCES);
  await writer.putSources(address, all);
  return all.length > 0;
}

/** Adds to what is known of an entity that conversations name, and nobody has described yet, what it is. */
async function joinEntity(entity: Entity, { kind = '', derived_from }: GraphEntity, adding: Adding): Promise<Entity> {
  const isDrawn = await addSources(toEntityAddress(entity.id), derived_from, adding);
  if (!isDrawn || kind === '' || kind === entity.type || entity.attributes['kind'] !== undefined) return entity;
  const joined = { ...entity, attributes: { ...entity.attributes, kind }, updatedAt: adding.now };
  await adding.writer.putEntity(joined);
  return joined;
}

async function addEntity(given: GraphEntity, type: EntityType, adding: Adding): Promise<Entity> {
  const { writer, names, now, settle } = adding;
  const { name, kind = '', derived_from } = given;
  const found = await names.find(name, type);
  if (found !== undefined) {
    await settle('entities', { kind: 'entity', entityId: found.id, value: '' }, false);
    return joinEntity(found, given, adding);
  }
  const attributes = kind === '' || kind.toLowerCase() === type ? {} : { kind };
  const common = { type, name, attributes, aliases: [], tags: [], status: 'active' } as const;
  const entity = { ...common, createdAt: now, updatedAt: now };
  const id = await writer.addEntity(entity);
  if (derived_from !== undefined) await writer.putSources(toEntityAddress(id), derived_from);
  names.add(name, id);
  await settle('entities', { kind: 'entity', entityId: id, value: '' }, true);
  return { ...entity, id };
}

async function addObservations(entity: Entity, observations: readonly string[], adding: Adding): Promise<void> {
  const { writer, now, settle } = adding;
  const known = toObservations(entity);
  const fresh: string[] = [];
  for (const value of new Set(observations)) {
    const claim = { kind: 'observation', entityId: entity.id, value } as const;
    // What an import brought and is not there any more, a person has deleted or put into other words.
    const isNew = !known.includes(value) && (await writer.importsOf(claim)).length === 0;
    if (isNew) fresh.push(value);
    await settle('observations', claim, isNew);
  }
  if (fresh.length === 0) return;
  await writer.putEntity({
    ...entity,
    attributes: { ...entity.attributes, observations: [...known, ...fresh] },
    updatedAt: now,
  });
}

async function addRelation(relation: GraphRelation, adding: Adding): Promise<void> {
  const { writer, now, settle } = adding;
  const { from, to, relation_type: type, derived_from } = relation;
  const first = await addEnd(from, adding);
  const second = await addEnd(to, adding);
  // An entity has no relation to itself.
  if (first.id === second.id) return;
  const relations = await writer.relations(first.id, type);
  const known = relations.find(({ entityIds: [a, b] }) => a === first.id && b === second.id);
  const ends = [first.id, second.id] as const;
  if (known === undefined && (await writer.importsOf(toGoneRelation(ends, type))).length > 0) {
    await settle('relations', toGoneRelation(ends, type), false);
    return;
  }
  const id = known?.id ?? (await writer.putRelation({ entityIds: ends, type, metadata: {}, createdAt: now }));
  if (known !== undefined) await addSources(toRelationAddress(id), derived_from, adding);
  else if (derived_from !== undefined) await writer.putSources(toRelationAddress(id), derived_from);
  await settle('relations', { kind: 'relation', entityId: first.id, value: String(id) }, known === undefined);
}

/** The entity that a relation names; one that the graph does not describe is added by its name alone. */
async function addEnd(name: string, adding: Adding): Promise<Entity> {
  const known = await adding.names.find(name, 'other');
  if (known === undefined) return addEntity({ name, observations: [] }, 'other', adding);
  await adding.share({ kind: 'entity', entityId: known.id, value: '' });
  return known;
}

/**
 * Adds a part of another program's graph, all of it or nothing. An entity that is there under the name or an alias is joined; what
 * is there already is not added again, so a part may come twice. What is added is kept as the import's, for `removeImport`.
 */
export function addGraph(part: GraphPart, { memory, clock }: MemoryContext): Promise<AddedGraph> {
  const now = clock().getTime();
  return memory.change(async (writer) => {
    const counts = { added: zero(), known: zero() };
    // What stood there before any import belongs to no import.
    const share = async (claim: Claim): Promise<void> => {
      if ((await writer.importsOf(claim)).length > 0) await writer.addClaim(part.import_id, claim);
    };
    const settle = async (what: Counted, claim: Claim, isNew: boolean): Promise<void> => {
      counts[isNew ? 'added' : 'known'][what] += 1;
      if (isNew) await writer.addClaim(part.import_id, claim);
      else await share(claim);
    };
    const adding = { writer, names: await readEntityNames(writer), now, settle, share };
    for (const { kind = '', ...given } of part.entities) {
      const entity = await addEntity({ ...given, kind: kind.trim() }, toEntityType(kind), adding);
      await addObservations(entity, given.observations, adding);
    }
    for (const relation of part.relations) await addRelation(relation, adding);
    return counts;
  });
}
