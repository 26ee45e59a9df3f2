import type { GraphCounts } from '@contextloom/contracts';
import type { MemoryContext } from '../context.ts';
import { RETRACTED } from '../retractions.ts';
import type { Claim, MemoryWriter } from '../store.ts';
import { toObservations } from './observations.ts';

/** An entity of an import that stays, and why. */
export interface KeptEntity {
  readonly id: number;
  readonly name: string | null;
  readonly why: string;
}

/** What taking an import back removed, and what stays. */
export interface RemovedImport {
  readonly removed: GraphCounts;
  readonly kept: readonly KeptEntity[];
}

/** Takes sentences out of an entity; answers how many it had. */
function removeObservations(entityId: number, values: ReadonlySet<string>, writer: MemoryWriter, now: number): number {
  const entity = writer.entity(entityId);
  if (entity === undefined) return 0;
  const before = toObservations(entity);
  const left = before.filter((one) => !values.has(one));
  if (left.length === before.length) return 0;
  const { observations: _, ...rest } = entity.attributes;
  const attributes = left.length === 0 ? rest : { ...rest, observations: left };
  writer.putEntity({ ...entity, attributes, updatedAt: now });
  return before.length - left.length;
}

/** What a person deleted of an import stays deleted when it is taken back, and is left out when it comes again. */
function keepRetractions(claims: readonly Claim[], writer: MemoryWriter): void {
  for (const claim of claims) {
    const entity = claim.kind === 'observation' ? writer.entity(claim.entityId) : undefined;
    if (entity !== undefined && !toObservations(entity).includes(claim.value)) writer.addClaim(RETRACTED, claim);
  }
}

/** Why an entity that an import added has to stay; undefined when nothing but the import was ever about it. */
function findReasonToStay(claim: Claim, writer: MemoryWriter): string | undefined {
  const entity = writer.entity(claim.entityId);
  if (entity === undefined) return undefined;
  if (writer.isClaimed(claim)) return 'another import has it too';
  if (writer.events({ entityId: entity.id }, { limit: 1 }).length > 0) return 'events are about it';
  if (writer.relations(entity.id).length > 0) return 'it has other relations';
  const { kind: _, ...attributes } = entity.attributes;
  const isChanged = Object.keys(attributes).length + entity.aliases.length + entity.tags.length > 0;
  return isChanged || entity.status !== 'active' ? 'it was changed since' : undefined;
}

function groupObservations(claims: readonly Claim[]): ReadonlyMap<number, Set<string>> {
  const byEntity = new Map<number, Set<string>>();
  for (const { kind, entityId, value } of claims) {
    if (kind === 'observation') byEntity.set(entityId, (byEntity.get(entityId) ?? new Set()).add(value));
  }
  return byEntity;
}

/**
 * Takes back what an import added by `addGraph`, all of it or nothing: what no other import shares and nobody else has built on is
 * deleted; the rest stays and is named. Called again, it finds nothing left to do.
 */
export function removeImport(importId: string, { memory, clock }: MemoryContext): Promise<RemovedImport> {
  const now = clock().getTime();
  return memory.changeInSteps(function* (writer) {
    const removed = { entities: 0, observations: 0, relations: 0 };
    const kept: KeptEntity[] = [];
    const claims = writer.claims(importId);
    writer.dropClaims(importId);
    const own = claims.filter((claim) => claim.kind === 'entity' || !writer.isClaimed(claim));
    keepRetractions(claims, writer);
    for (const [entityId, values] of groupObservations(own)) {
      removed.observations += removeObservations(entityId, values, writer, now);
      yield;
    }
    for (const { kind, value } of own) {
      if (kind === 'relation' && writer.deleteRelation(Number(value))) removed.relations += 1;
      yield;
    }
    for (const claim of own) {
      if (claim.kind !== 'entity') continue;
      const why = findReasonToStay(claim, writer);
      if (why === undefined) {
        writer.deleteEntity(claim.entityId);
        removed.entities += 1;
      } else kept.push({ id: claim.entityId, name: writer.entity(claim.entityId)?.name ?? null, why });
      yield;
    }
    return { removed, kept };
  });
}
