import type { GraphBatch } from '../graph-store.ts';

/** Where people who are named are kept. */
export interface PeopleStore {
  /**
   * Keeps who was named in a conversation, under the name of what brought it; answers whether it could. Never rejects: a conversation is
   * remembered without it, and reading it again finds them once more.
   */
  readonly keep: (userId: string, broughtBy: string, people: GraphBatch) => Promise<boolean>;
}
