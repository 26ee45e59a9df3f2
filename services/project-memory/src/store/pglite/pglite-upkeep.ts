import type { PGlite } from '@electric-sql/pglite';
import { rememberSizes } from './relation-sizes.ts';

/** After how many transactions the tables are looked at. */
const EVERY = 100;
/** Files that are never cut off at their end can be told from damaged ones; the free space is used again all the same. */
const VACUUM = 'vacuum (analyze, truncate off)';

/**
 * Tables of which more than half, and 50 rows, changed since the planner's statistics were made, or is dead; the formula is that
 * of autovacuum with a larger share. A table without statistics may come from a server that was killed, which forgets its counts.
 */
const DUE = `
  select quote_ident(s.relname) as name, s.n_dead_tup > d.due as "hasDead"
  from pg_stat_user_tables s join pg_class c on c.oid = s.relid
  cross join lateral (select 50 + greatest(c.reltuples, 0) / 2 as due) d
  where greatest(s.n_dead_tup, s.n_mod_since_analyze) > d.due or (c.reltuples < 0 and pg_relation_size(c.oid) > 0)`;

/** What keeps the tables of PGlite in order; none throws. */
export interface Upkeep {
  /** Looks at the tables now. */
  readonly run: () => Promise<void>;
  /** Notes how large the files are, so that a start finds out if one was cut off. */
  readonly remember: () => Promise<void>;
  /** Looks at them every so often. */
  readonly afterTransaction: () => Promise<void>;
}

/**
 * Does for PGlite what autovacuum does for a server: without statistics the planner takes ten times as long over a search of all
 * projects, and without vacuum every replaced state takes its place on the disk for good.
 */
export function createUpkeep(
  engine: Pick<PGlite, 'query' | 'exec' | 'transaction'>,
  onFailure: (cause: unknown) => void,
): Upkeep {
  let transactions = 0;
  const orTell = async (work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (cause) {
      onFailure(cause);
    }
  };
  const remember = () => orTell(() => rememberSizes(engine));
  const run = async (): Promise<void> => {
    await orTell(async () => {
      await engine.query('select pg_stat_force_next_flush()');
      const { rows } = await engine.query<{ name: string; hasDead: boolean }>(DUE);
      for (const { name, hasDead } of rows) await engine.exec(`${hasDead ? VACUUM : 'analyze'} ${name}`);
    });
    await remember();
  };
  return {
    ...{ run, remember },
    afterTransaction: async () => {
      transactions += 1;
      if (transactions % EVERY === 0) await run();
    },
  };
}
