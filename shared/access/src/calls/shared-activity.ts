import type { Log } from '@contextloom/runtime';
import type { AccessDatabase } from '../database/access-database.ts';
import { type Activity, MAX_LINES, parseLine } from './activity.ts';

/** How long lines are gathered before they are written, in milliseconds. */
const GATHER_MS = 300;
/** So many lines are gathered at most while the database is away; the file of the machine has all. */
const MAX_GATHERED = 10_000;
/** How many writes there are to one that clears what is older than is shown. */
const WRITES_TO_CLEAR = 50;

const INSERT = 'INSERT INTO calls (server, line) SELECT $1, line FROM unnest($2::text[]) AS own (line)';
const NEWEST = `FROM calls WHERE server = $1 ORDER BY seq DESC`;
const CLEAR = `DELETE FROM calls WHERE server = $1 AND seq <= (SELECT seq ${NEWEST} OFFSET ${MAX_LINES} LIMIT 1)`;

/** What the activity is opened with. */
export interface SharedActivityOptions {
  readonly database: AccessDatabase;
  readonly server: string;
  readonly log: Log;
}

/** The newest calls at all servers of one name, on whatever machine; each also has its own in its file. */
export function createSharedActivity({
  database: { query },
  server,
  log,
}: SharedActivityOptions): Activity & { readonly close: () => Promise<void> } {
  let gathered: string[] = [];
  let timer: NodeJS.Timeout | undefined;
  let writes = 0;
  let [isReachable, writing] = [true, Promise.resolve()];

  async function write(): Promise<void> {
    const lines = gathered;
    if (lines.length === 0) return;
    gathered = [];
    try {
      await query(INSERT, [server, lines]);
      isReachable = true;
      writes += 1;
      if (writes % WRITES_TO_CLEAR === 1) await query(CLEAR, [server]);
    } catch (cause) {
      gathered = [...lines, ...gathered].slice(-MAX_GATHERED);
      if (isReachable)
        log.warn({ cause }, 'calls cannot be written to the database; the file of this machine has them');
      isReachable = false;
      writeSoon();
    }
  }

  /** One write after the other: lines keep their order. */
  function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writing.then(write);
    return writing;
  }

  function writeSoon(): void {
    timer ??= setTimeout(() => void flush(), GATHER_MS).unref();
  }

  return {
    note: (line) => {
      gathered.push(JSON.stringify(line));
      if (gathered.length > MAX_GATHERED) gathered.shift();
      writeSoon();
    },
    list: async () => {
      // Whoever asks sees the calls of before.
      await flush();
      const rows = await query<{ line: string }>(`SELECT line ${NEWEST} LIMIT ${MAX_LINES}`, [server]);
      return rows.flatMap(({ line }) => parseLine(line));
    },
    close: async () => {
      await flush();
      clearTimeout(timer);
    },
  };
}
