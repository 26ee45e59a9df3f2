import { z } from 'zod';

/** What became of looking at a store's schema, beside what this program would make. */
export const schemaStates = ['current', 'behind', 'newer', 'missing', 'unreachable'] as const;

/** How far the schema of one store is. */
export const storeStateSchema = z.object({
  store: z.string().describe('What it keeps, such as documents'),
  engine: z.enum(['sqlite', 'postgres']),
  where: z.string().describe('Its file, folder or database, without secrets'),
  found: z.int().nullable().describe('Its version; null where there is none, or where it cannot be told'),
  expected: z.int().describe('The version that this program makes'),
  state: z.enum(schemaStates),
  reason: z.string().optional().describe('Why the store cannot be used as it is'),
});
/** How far the schema of one store is. */
export type StoreState = z.output<typeof storeStateSchema>;

/** What a server answers about its stores without opening them. */
export const storeStatesSchema = z.object({ stores: z.array(storeStateSchema) });

/** A store whose schema can be looked at and brought up to date without opening it. */
export interface StoreUpkeep extends Pick<StoreState, 'store' | 'engine' | 'where' | 'expected'> {
  /** Reads its version and changes nothing; 0 where there is none. @throws ContextloomError where it cannot be read */
  readonly find: () => Promise<number>;
  /** Brings it to the expected version; a file that is missing stays so until something is stored. */
  readonly migrate: () => Promise<void>;
}
