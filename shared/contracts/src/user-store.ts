import type { ExportPage, ImportReport, ListUsersAnswer } from './archive.ts';
import type { Forgotten } from './forgetting.ts';

/** Which users are listed: those whose id sorts after `after`, at most `limit`, by id. */
export interface UsersPage {
  readonly after?: string | undefined;
  readonly limit: number;
}

/** What every store of memories does with its users, whatever its engine and whatever it keeps; all reject with `ContextloomError`. */
export interface UserStore {
  /** The users who have something here, and how much. */
  users(page: UsersPage): Promise<ListUsersAnswer>;
  /** A page of what there is of a user, as {@link importUser} takes it; without a cursor the first. */
  exportUser(userId: string, cursor?: string): Promise<ExportPage>;
  /** Takes in what an export handed out, one record a line; what is there already stays. */
  importUser(userId: string, lines: readonly string[]): Promise<ImportReport>;
  /** Counts what there is of a user, and erases it unless it is a dry run. */
  forget(userId: string, isDryRun: boolean): Promise<Forgotten>;
  /** How many texts of all users wait for their vectors. */
  countWaiting(): Promise<number>;
}
