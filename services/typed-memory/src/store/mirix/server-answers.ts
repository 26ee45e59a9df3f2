import { type MemoryType, memoryTypes } from '@contextloom/contracts/typed-memory';
import { z } from 'zod';
import { itemFields, type MirixItem, toItem } from './items.ts';
import type { MirixList } from './mirix-api.ts';

const ownUser = z.string().nullish();
const listedItem = z.object({ ...itemFields, id: z.string().min(1), user_id: ownUser });
const foundItem = listedItem.extend({ memory_type: z.string() });
const items = z.array(listedItem);

/** A list of one type; the core memories are in scopes. */
const listSchema = z.object({
  total_count: z.number().int().min(0),
  items: items.default([]),
  scopes: z.record(z.string(), z.object({ items })).default({}),
});
const list = listSchema.optional();

/** Answers of the server of today, by path. */
export const serverAnswers = {
  user: z.object({ id: z.string(), is_deleted: z.boolean().nullish() }),
  /** Null for a key that may only read. */
  agent: z.object({ id: z.string().min(1) }).nullable(),
  added: z.object({ success: z.literal(true), status: z.string() }),
  found: z.object({ success: z.literal(true), results: z.array(foundItem) }),
  components: z.object({
    success: z.literal(true),
    user_id: ownUser,
    memories: z.object({
      core: list,
      episodic: list,
      semantic: list,
      procedural: list,
      resource: list,
      knowledge_vault: list,
    }),
  }),
};

/** A list, as it was answered. */
export type AnsweredList = z.output<typeof listSchema>;

/** How much of a resource a search shows. */
const SHOWN_OF_RESOURCE = 200;

/** An item that a search found; undefined for a type that we do not have. */
export function toFoundItem(fields: z.output<typeof foundItem>): MirixItem | undefined {
  const type = memoryTypes.find((name) => name === fields.memory_type);
  const item = type === undefined ? undefined : toItem(type, fields, fields.id);
  const isCut = item?.type === 'resource' && fields.content.length >= SHOWN_OF_RESOURCE;
  return item && (isCut ? { ...item, isPassage: true } : item);
}

/** Everything in a list, whatever its scope. */
export const toListedItems = ({ items: some, scopes }: AnsweredList): readonly z.output<typeof listedItem>[] => [
  ...some,
  ...Object.values(scopes).flatMap((scope) => scope.items),
];

/** A list as both generations have it: what is left out of it is not counted either. */
export function toList(type: MemoryType, answered: AnsweredList): MirixList {
  const all = toListedItems(answered);
  const shown = all.flatMap((fields) => toItem(type, fields, fields.id) ?? []);
  return { total: Math.max(shown.length, answered.total_count - (all.length - shown.length)), items: shown };
}
