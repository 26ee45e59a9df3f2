import type { Forgotten } from '@contextloom/contracts';
import type { OwnedMemory } from './user-store.ts';

/** A workspace for each user, made when first needed. */
export interface Workspaces {
  /**
   * Works with the workspace of a user. Reading makes none: who has none yet reads an empty one.
   * @throws ContextloomError `invalid` for an id that cannot name a folder, `unavailable`, `no_space`
   */
  using<T>(userId: string, effect: 'reads' | 'writes', work: (owned: OwnedMemory) => Promise<T>): Promise<T>;
  /** The users who have a workspace, by id. */
  list(): readonly string[];
  /** Counts what the workspace of a user has; unless it is a dry run, erases it with its folder and its index. */
  forget(userId: string, isDryRun: boolean): Promise<Forgotten>;
  /** How many entries of all users wait for their vectors. */
  countWaiting(): Promise<number>;
  close(): Promise<void>;
}
