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
async function removeObservations(
  entityId: number,
  values: ReadonlySet<string>,
  writer: MemoryWriter,
  now: number,
): Promise<number> {
  const entity = await writer.entity(entityId);
  if (entity === undefined) return 0;
  const before = toObservations(entity);
  const left = before.filter((one) => !values.has(one));
  if (left.length === before.length) return 0;
  const { observations: _, ...rest } = entity.attributes;
  const attributes = left.length === 0 ? rest : { ...rest, observations: left };
  await writer.putEntity({ ...entity, attributes, updatedAt: now });
  return before.length - left.length;
}

/** What a person deleted of an import stays deleted when it is taken back, and is left out when it comes again. */
async function keepRetractions(claims: readonly Claim[], writer: MemoryWriter): Promise<void> {
  for (const claim of claims) {
    const entity = claim.kind === 'observation' ? await writer.entity(claim.entityId) : undefined;
    if (entity !== undefined && !toObservations(entity).includes(claim.value)) await writer.addClaim(RETRACTED, claim);
  }
}

/** Why an entity that an import added has to stay; undefined when nothing but the import was ever about it. */
async function findReasonToStay(claim: Claim, writer: MemoryWriter): Promise<string | undefined> {
  const entity = await writer.entity(claim.entityId);
  if (entity === undefined) return undefined;
  if ((await writer.importsOf(claim)).length > 0) return 'another import has it too';
  if ((await writer.events({ entityId: entity.id }, { limit: 1 })).length > 0) return 'events are about it';
  if ((await writer.relations(entity.id)).length > 0) return 'it has other relations';
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
  return memory.change(async (writer) => {
    const removed = { entities: 0, observations: 0, relations: 0 };
    const kept: KeptEntity[] = [];
    const claims = await writer.claims(importId);
    await writer.dropClaims(importId);
    const own: Claim[] = [];
    for (const claim of claims) {
      if (claim.kind === 'entity' || (await writer.importsOf(claim)).length === 0) own.push(claim);
    }
    await keepRetractions(claims, writer);
    for (const [entityId, values] of groupObservations(own)) {
      removed.observations += await removeObservations(entityId, values, writer, now);
    }
    for (const { kind, value } of own) {
      if (kind === 'relation' && (await writer.deleteRelation(Number(value)))) removed.relations += 1;
    }
    for (const claim of own) {
      if (claim.kind !== 'entity') continue;
      const why = await findReasonToStay(claim, writer);
      if (why === undefined) {
        await writer.deleteEntity(claim.entityId);
        removed.entities += 1;
      } else kept.push({ id: claim.entityId, name: (await writer.entity(claim.entityId))?.name ?? null, why });
    }
    return { removed, kept };
  });
}
