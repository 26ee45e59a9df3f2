import type { Unreached } from '@contextloom/contracts';

/** A value as a statement takes it. */
export type Parameter = string | number | null;

/** A database that keeps jobs. A statement that has returned is durable. */
export interface JobDatabase {
  /** Runs one statement of its own transaction; parameters are `$1`, `$2`, …. */
  readonly query: <Row extends object>(text: string, parameters?: readonly Parameter[]) => Promise<readonly Row[]>;
  /** The time in milliseconds since 1970, as an expression: all workers go by the clock of the database. */
  readonly now: string;
  /** What ends the selection of a row that is changed next, so that another worker passes over it. */
  readonly lock: string;
  /** Whether an error says that a row would be there twice. */
  readonly isDuplicate: (error: unknown) => boolean;
  /** Overwrites what deleted rows left in the files; answers what it could not reach. */
  readonly erase: () => Promise<readonly Unreached[]>;
  readonly close: () => Promise<void>;
}

/** How the engines call what differs in their tables. */
export interface ColumnTypes {
  /** A number that the database counts up. */
  readonly serial: string;
}

/** The tables of jobs, version by version. Times are milliseconds since 1970. */
export const toJobMigrations = ({ serial }: ColumnTypes): readonly string[] => [
  `CREATE TABLE jobs (
  seq ${serial},
  id TEXT NOT NULL UNIQUE,
  user_id TEXT NOT NULL,
  kind TEXT NOT NULL,
  idempotency_key TEXT,
  state TEXT NOT NULL,
  payload TEXT,
  done BIGINT NOT NULL DEFAULT 0,
  total BIGINT NOT NULL DEFAULT 0,
  attempts BIGINT NOT NULL DEFAULT 0,
  reason TEXT,
  outcome TEXT,
  created_at BIGINT NOT NULL,
  run_after BIGINT NOT NULL,
  started_at BIGINT,
  ended_at BIGINT,
  lease TEXT,
  lease_until BIGINT
);
CREATE UNIQUE INDEX jobs_by_key ON jobs (user_id, idempotency_key) WHERE idempotency_key IS NOT NULL;
CREATE UNIQUE INDEX jobs_at_work ON jobs (user_id) WHERE state = 'running';
CREATE INDEX jobs_waiting ON jobs (user_id, seq) WHERE state IN ('queued', 'failed');
CREATE INDEX jobs_of_user ON jobs (user_id, started_at);
CREATE INDEX jobs_by_state ON jobs (state, ended_at);`,
];
