import type { AccessDatabase } from '../database/access-database.ts';

/** How many calls of a name there were in the present minute, at all servers together. */
export interface SharedCounter {
  /** Counts one; answers how many there were by then, as far as is known, and for how many seconds the minute goes on. */
  readonly count: (name: string) => { readonly total: number; readonly secondsLeft: number };
}

/** How often servers tell each other, in milliseconds: a limit holds over all of them within a second. */
const TELL_MS = 400;
const MINUTE_MS = 60_000;
/** In the order of names, so that of two servers none waits for the other. */
const ADD = `INSERT INTO counts (name, minute, count)
  SELECT name, CAST($2 AS BIGINT), sum FROM unnest($1::text[], $3::bigint[]) AS own (name, sum) ORDER BY name
  ON CONFLICT (name, minute) DO UPDATE SET count = counts.count + excluded.count
  RETURNING name, count, CAST(extract(epoch FROM clock_timestamp()) * 1000 AS BIGINT) AS at`;

interface Counted {
  minute: number;
  /** Of all servers, as of the last call of them. */
  known: number;
  /** Of this one, since then. */
  own: number;
}

/** What a counter is made of. */
export interface SharedCounterOptions {
  readonly database: AccessDatabase;
  /** In front of each name: each server has limits of its own. */
  readonly server: string;
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number;
}

/** What was counted here since the last time, which is known of now; what is of a minute before is dropped. */
function takeSums(counts: Map<string, Counted>, minute: number) {
  const names: string[] = [];
  const sums: number[] = [];
  for (const [name, counted] of counts) {
    if (counted.minute < minute) counts.delete(name);
    else if (counted.own > 0) {
      names.push(name);
      sums.push(counted.own);
      counted.known += counted.own;
      counted.own = 0;
    }
  }
  return { names, sums };
}

/**
 * Counts in memory, and tells the database the sums while there are calls: no request waits for it. Minutes are those of the
 * database's clock.
 */
export function createSharedCounter(options: SharedCounterOptions): SharedCounter {
  const { database, server, now = () => performance.now() } = options;
  const counts = new Map<string, Counted>();
  // By how much the database's clock is ahead of this one's; wrong for the first moments at worst, when a minute begins elsewhere.
  let offset = Date.now() - now();
  let cleared = 0;
  let isTelling = false;
  const toMinute = (): number => Math.floor((now() + offset) / MINUTE_MS);

  async function tell(): Promise<void> {
    const minute = toMinute();
    const { names, sums } = takeSums(counts, minute);
    if (names.length === 0) return;
    const ours = names.map((name) => `${server} ${name}`);
    const rows = await database.query<{ name: string; count: number; at: number }>(ADD, [ours, minute, sums]);
    for (const { name, count } of rows) {
      const counted = counts.get(name.slice(server.length + 1));
      if (counted?.minute === minute) counted.known = count;
    }
    const [first] = rows;
    if (first !== undefined) offset = first.at - now();
    if (cleared === minute) return;
    cleared = minute;
    await database.query('DELETE FROM counts WHERE minute < $1', [minute - 1]);
  }

  function tellSoon(): void {
    if (isTelling) return;
    isTelling = true;
    setTimeout(() => {
      // Without the database no key is good either; what was counted here counts on.
      void tell()
        .catch(() => undefined)
        .finally(() => {
          isTelling = false;
          if (counts.size > 0) tellSoon();
        });
    }, TELL_MS).unref();
  }

  return {
    count: (name) => {
      const minute = toMinute();
      const last = counts.get(name);
      const counted = last?.minute === minute ? last : { minute, known: 0, own: 0 };
      counted.own += 1;
      counts.set(name, counted);
      tellSoon();
      return { total: counted.known + counted.own, secondsLeft: toSecondsLeft(now() + offset) };
    },
  };
}

const toSecondsLeft = (at: number): number => Math.ceil((MINUTE_MS - (at % MINUTE_MS)) / 1_000);
