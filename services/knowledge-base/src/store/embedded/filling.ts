import type { Database } from '@contextloom/sqlite';
import type { IndexState } from '../../domain/store.ts';
import { type Filling, toFillingText, toMismatchError } from '../filling.ts';

/** The record of what filled a store. Every use of its index asks it first, since another process may have refilled the store. */
export interface FillingRecord {
  /** Whether the store is filled by this program, as it is configured. A store without documents always is, from then on. */
  claim(): boolean;
  /** @throws ContextloomError `unavailable` naming what filled the store, what is configured, and how to fill it anew */
  check(): void;
  /** Notes that this program has filled the store. */
  write(): void;
  /** Whether the vectors beside those in use were made for this program, as it is configured. */
  isNext(): boolean;
  /** Notes that the vectors beside those in use are made for this program. */
  writeNext(): void;
  /** Notes that there are no vectors beside those in use. */
  forgetNext(): void;
  toState(): IndexState;
}

/** Builds the record over a store's database; `own` is what this program fills stores with. */
export function createFillingRecord(database: Database, own: Filling): FillingRecord {
  const find = database.prepare<[string], string>('SELECT value FROM store_info WHERE name = ?').pluck();
  const save = database.prepare<[string, string]>('INSERT OR REPLACE INTO store_info (name, value) VALUES (?, ?)');
  const forget = database.prepare<[string]>('DELETE FROM store_info WHERE name = ?');
  const isEmpty = database.prepare<[], number>('SELECT NOT EXISTS (SELECT 1 FROM documents)').pluck();
  const ownText = toFillingText(own);
  const write = (): void => {
    save.run('filling', ownText);
  };
  const isNext = (): boolean => find.get('next_filling') === ownText;
  return {
    claim: () => {
      if (isEmpty.get() === 1) write();
      return find.get('filling') === ownText;
    },
    check: () => {
      const found = find.get('filling');
      if (found !== ownText) throw toMismatchError(database.name, found ?? '[]', ownText);
    },
    write,
    isNext,
    writeNext: () => void save.run('next_filling', ownText),
    forgetNext: () => void forget.run('next_filling'),
    toState: () => {
      if (isNext()) return 'unfinished';
      return find.get('filling') === ownText ? 'own' : 'useless';
    },
  };
}
