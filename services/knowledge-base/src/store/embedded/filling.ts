import type { Database } from '@contextloom/sqlite';
import { type Filling, toFillingText, toMismatchError } from '../filling.ts';

/** The record of what filled a store. Every use of its index asks it first, since another process may have refilled the store. */
export interface FillingRecord {
  /** Whether the store is filled by this program, as it is configured. A store without documents always is, from then on. */
  claim(): boolean;
  /** @throws ContextloomError `unavailable` naming what filled the store, what is configured, and how to fill it anew */
  check(): void;
  /** Notes that this program has filled the store. */
  write(): void;
}

/** Builds the record over a store's database; `own` is what this program fills stores with. */
export function createFillingRecord(database: Database, own: Filling): FillingRecord {
  const find = database.prepare<[], string>("SELECT value FROM store_info WHERE name = 'filling'").pluck();
  const save = database.prepare<[string]>("INSERT OR REPLACE INTO store_info (name, value) VALUES ('filling', ?)");
  const isEmpty = database.prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM documents)').pluck();
  const ownText = toFillingText(own);
  const write = (): void => {
    save.run(ownText);
  };
  return {
    claim: () => {
      if (isEmpty.get() === 1) write();
      return find.get() === ownText;
    },
    check: () => {
      const found = find.get();
      if (found !== ownText) throw toMismatchError(database.name, found ?? '[]', ownText);
    },
    write,
  };
}
