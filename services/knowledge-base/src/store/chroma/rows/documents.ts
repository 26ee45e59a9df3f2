import type { StoredDocument } from '@contextloom/contracts';
import type { IndexUpgradeOptions } from '../../index-upgrade.ts';
import type { Rows } from './collection.ts';
import { type RowSource, toRowSource } from './row-source.ts';
import { adoptRow, parseRow, toRow, WAITING } from './rows.ts';

/** Rows a request. */
const BATCH = 200;

/** The documents in plain rows. */
export function createPlainSource(rows: Rows, hasOwnVectors: boolean): RowSource {
  return toRowSource(rows, { parse: parseRow, waitingKey: WAITING, hasOwnVectors });
}

/** What rows of other clients are taken in with. */
export interface AdoptOptions {
  readonly rows: () => Rows;
  readonly dimensions: number;
  readonly clock: () => Date;
  readonly log: IndexUpgradeOptions['log'];
}

/** Takes rows that other clients added in as documents; their vectors are made again, since nobody knows whose they are. */
export interface Adoption {
  readonly adopt: (ids: readonly string[]) => Promise<readonly string[]>;
  /** How many rows have no text: they are left as they are, and no document. */
  readonly withoutText: () => number;
}

/** Begins with no such row. */
export function createAdoption({ rows, dimensions, clock, log }: AdoptOptions): Adoption {
  let withoutText = 0;
  const adopt = async (ids: readonly string[]): Promise<readonly string[]> => {
    const adopted: StoredDocument[] = [];
    withoutText = 0;
    for (let from = 0; from < ids.length; from += BATCH) {
      const hits = await rows().get(ids.slice(from, from + BATCH), ['documents', 'metadatas']);
      const strange = hits.filter((hit) => parseRow(hit) === undefined);
      const documents = strange.flatMap((hit) => adoptRow(hit, clock().toISOString()) ?? []);
      withoutText += strange.length - documents.length;
      if (documents.length === 0) continue;
      await rows().mark(documents.map((one) => ({ id: one.id, notes: toRow(one, null, { dimensions }).notes })));
      adopted.push(...documents);
    }
    if (adopted.length > 0) log.info({ documents: adopted.length }, 'took in rows that another client of Chroma added');
    if (withoutText > 0)
      log.warn({ rows: withoutText }, 'rows that another client of Chroma added without a text are no documents');
    return adopted.map(({ id }) => id);
  };
  return { adopt, withoutText: () => withoutText };
}
