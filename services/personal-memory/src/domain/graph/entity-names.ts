import { type EntityType, relationKinds } from '@contextloom/contracts/personal-memory';
import { toComparableText } from '@contextloom/retrieval';
import { mapInSlices } from '@contextloom/runtime/scheduling';
import { kinds, typeWords } from '../entities/type-words.ts';
import type { Entity } from '../model.ts';
import type { MemoryWriter } from '../store.ts';

/** Words for types in graphs of other programs, besides those that people say. */
const MORE_WORDS = new Map<string, EntityType>(
  (['person', 'pet', 'property', 'vehicle', 'other'] as const).map((type) => [type, type]),
);
for (const relation of relationKinds) MORE_WORDS.set(relation, relation === 'pet' ? 'pet' : 'person');
for (const word of ['people', 'human', 'user', 'contact', '人', '人物', '用户']) MORE_WORDS.set(word, 'person');
for (const [type, words] of Object.entries(typeWords) as [EntityType, readonly string[]][])
  for (const word of words) MORE_WORDS.set(word, type);
for (const { type, words } of kinds) for (const word of words) MORE_WORDS.set(word, type);

/** The type of entity that another program's word for a kind stands for; `other` where there is none. */
export function toEntityType(kind: string): EntityType {
  return MORE_WORDS.get(kind.trim().toLowerCase()) ?? 'other';
}

/** The entities of a memory by name, while a graph is added to it. */
export interface EntityNames {
  /** The entity of a name, of that type or one that does not contradict it; undefined when there is none. */
  readonly find: (name: string, type: EntityType) => Promise<Entity | undefined>;
  readonly add: (name: string, id: number) => void;
}

/** Entities of two types are different ones, unless one of the types says nothing. */
const fits = (one: EntityType, other: EntityType): boolean => one === other || one === 'other' || other === 'other';

/** Reads the names and aliases of all entities, in time slices: there may be a hundred thousand. */
export async function readEntityNames(writer: MemoryWriter): Promise<EntityNames> {
  const ids = new Map<string, number[]>();
  const add = (name: string, id: number): void => {
    const key = toComparableText(name);
    const known = ids.get(key);
    if (known === undefined) ids.set(key, [id]);
    else if (!known.includes(id)) known.push(id);
  };
  await mapInSlices(await writer.names(), ({ name, entityId }) => add(name, entityId));
  const find = async (name: string, type: EntityType): Promise<Entity | undefined> => {
    const same: Entity[] = [];
    for (const id of ids.get(toComparableText(name)) ?? []) {
      const entity = await writer.entity(id);
      if (entity !== undefined && fits(entity.type, type)) same.push(entity);
    }
    const ranked = [
      same.filter((entity) => entity.type === type && entity.status === 'active'),
      same.filter(({ status }) => status === 'active'),
      same,
    ];
    return ranked.find(({ length }) => length > 0)?.[0];
  };
  return { find, add };
}
