import { readGoneRelation, toGoneRelation } from '../retractions.ts';
import type { Claim, MemoryReader, MemoryWriter } from '../store.ts';
import type { MemoryDocument, ParsedDocument } from './document.ts';

type Numbers = ReadonlyMap<number, number>;

/** What imports have claimed, as a document tells it: entities by its numbers, and relations by their ends and type. */
export async function toClaims(memory: MemoryReader, numbers: Numbers): Promise<MemoryDocument['claims']> {
  const relations = new Map((await memory.relations()).map((relation) => [String(relation.id), relation]));
  const toRelation = ({ value }: Claim) => {
    const found = relations.get(value);
    if (found !== undefined) return { kind: 'relation', type: found.type, other: found.entityIds[1] } as const;
    const gone = readGoneRelation(value);
    return gone && ({ kind: 'gone_relation', ...gone } as const);
  };
  return (await memory.allClaims()).flatMap(({ importId: import_id, ...claim }): MemoryDocument['claims'] => {
    const entity = numbers.get(claim.entityId);
    if (entity === undefined) return [];
    if (claim.kind !== 'relation') return [{ import_id, entity, kind: claim.kind, value: claim.value, entity_2: null }];
    const relation = toRelation(claim);
    const entity_2 = relation && numbers.get(relation.other);
    if (relation === undefined || entity_2 === undefined) return [];
    return [{ import_id, entity, kind: relation.kind, value: relation.type, entity_2 }];
  });
}

/** Adds the claims of a document, whose entities have these ids here. */
export async function importClaims({ claims }: ParsedDocument, writer: MemoryWriter, ids: Numbers): Promise<void> {
  for (const { import_id: importId, entity, kind, value, entity_2: other } of claims) {
    const [first, second] = [ids.get(entity), other === null ? undefined : ids.get(other)];
    if (first === undefined) continue;
    if (kind === 'entity' || kind === 'observation') await writer.addClaim(importId, { kind, entityId: first, value });
    else if (second !== undefined && kind === 'gone_relation') {
      await writer.addClaim(importId, toGoneRelation([first, second], value));
    } else {
      const relations = await writer.relations(first, value);
      const known = relations.find(({ entityIds: [a, b] }) => a === first && b === second);
      if (known !== undefined)
        await writer.addClaim(importId, { kind: 'relation', entityId: first, value: String(known.id) });
    }
  }
}
