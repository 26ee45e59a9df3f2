/** The table of jobs with how an engine calls a number that it counts up. Times are milliseconds since 1970. */
const toTable = (serial: string): string => `CREATE TABLE jobs (
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
CREATE INDEX jobs_by_state ON jobs (state, ended_at);`;

/** What a model took on each day, by the budget's time zone: counted once there is a budget. */
export const modelUseTable = `CREATE TABLE model_use (
  day TEXT PRIMARY KEY,
  calls BIGINT NOT NULL,
  input_tokens BIGINT NOT NULL,
  output_tokens BIGINT NOT NULL,
  dollars DOUBLE PRECISION NOT NULL
);`;

/** The tables of jobs in a file, version by version. */
export const sqliteJobTables = [toTable('INTEGER PRIMARY KEY AUTOINCREMENT'), modelUseTable] as const;

/** The tables of jobs in Postgres. */
export const postgresJobTables = toTable('BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY');
