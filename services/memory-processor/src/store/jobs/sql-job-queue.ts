import { setTimeout as sleep } from 'node:timers/promises';
import type { Forgotten, JobCounts, JobState } from '@contextloom/contracts';
import { jobStates } from '@contextloom/contracts';
import type {
  Claim,
  Job,
  JobProgress,
  JobQueue,
  JobSelection,
  NewJob,
  Settlement,
} from '../../domain/jobs/job-queue.ts';
import type { SqlDatabase } from '../sql/sql-database.ts';

interface Row {
  readonly id: string;
  readonly user_id: string;
  readonly kind: string;
  readonly state: JobState;
  readonly payload: string;
  readonly done: number;
  readonly total: number;
  readonly attempts: number;
  readonly reason: string | null;
  readonly outcome: string | null;
  readonly created_at: number;
  readonly run_after: number;
  readonly started_at: number | null;
  readonly ended_at: number | null;
}

/** Of a job that is shown: not its conversation. */
const SHOWN =
  'id, user_id, kind, state, done, total, attempts, reason, outcome, created_at, run_after, started_at, ended_at';
const TAKEN = 'id, user_id, kind, payload, attempts, outcome';
/** A queued job has a reason when it waits for something. */
const WAITING = "state = 'queued' AND reason IS NOT NULL";
const OWN = 'id = $1 AND (CAST($2 AS TEXT) IS NULL OR user_id = CAST($2 AS TEXT))';

/** How long a job of a user who is forgotten is waited for, beyond its lease, and how often it is looked at, in milliseconds. */
const LET_GO_MS = 90_000;
const LOOK_MS = 100;
const LEAST_WAIT_MS = 1_000;

function toJob(row: Row): Job {
  return {
    id: row.id,
    userId: row.user_id,
    kind: row.kind,
    state: row.state,
    progress: { done: row.done, total: row.total },
    attempts: row.attempts,
    createdAt: row.created_at,
    startedAt: row.started_at ?? undefined,
    endedAt: row.ended_at ?? undefined,
    runAfter: row.run_after,
    reason: row.reason ?? undefined,
    outcome: row.outcome === null ? undefined : JSON.parse(row.outcome),
  };
}

const toFirstJob = ([row]: readonly Row[]): Job | undefined => (row === undefined ? undefined : toJob(row));

/** Keeps jobs in tables of a database, the same statements in both engines. */
export function createSqlJobQueue(database: SqlDatabase): JobQueue {
  const { query, of, now } = database;
  /** Changes a job of this user that is one of those meant. */
  const change = async (sets: string, which: string, id: string, userId: string | undefined) =>
    toFirstJob(
      await of(userId)<Row>(`UPDATE jobs SET ${sets} WHERE ${OWN} AND (${which}) RETURNING ${SHOWN}`, [
        id,
        userId ?? null,
      ]),
    );
  const anew = `state = 'queued', attempts = 0, reason = NULL, outcome = NULL, ended_at = NULL, run_after = ${now}`;
  const ended = `state = 'cancelled', ended_at = ${now}`;
  return {
    add: (job) => add(database, job),
    claim: (lease) => claim(database, lease),
    renew: (taken, leaseMs, progress) => renew(database, taken, leaseMs, progress),
    settle: (taken, settlement) => settle(database, taken, settlement),
    release: (taken) => release(database, taken),
    find: async (id, userId) =>
      toFirstJob(await of(userId)<Row>(`SELECT ${SHOWN} FROM jobs WHERE ${OWN}`, [id, userId ?? null])),
    list: (userId, selection) => list(database, userId, selection),
    retry: (id, userId) => change(anew, `state IN ('failed', 'dead', 'cancelled') OR ${WAITING}`, id, userId),
    cancel: (id, userId) => change(ended, "state IN ('queued', 'running', 'failed', 'dead')", id, userId),
    count: () => count(database),
    countWaiting: async () => {
      const [row] = await query<{ count: number }>(`SELECT count(*) AS count FROM jobs WHERE ${WAITING}`);
      return row?.count ?? 0;
    },
    purge: async (olderThanMs) => {
      const old = `ended_at < ${now} - CAST($1 AS BIGINT)`;
      await query(`DELETE FROM jobs WHERE state IN ('done', 'cancelled') AND ${old}`, [olderThanMs]);
    },
    forget: (userId, isDryRun) => forget(database, userId, isDryRun),
    close: database.close,
  };
}

async function add({ of, now }: SqlDatabase, job: NewJob): Promise<Job> {
  const { id, userId, kind, payload, idempotencyKey, waits } = job;
  const query = of(userId);
  const added = await query<Row>(
    `INSERT INTO jobs (id, user_id, kind, idempotency_key, state, payload, reason, created_at, run_after)
     VALUES ($1, $2, $3, $4, 'queued', $5, $6, ${now}, coalesce(CAST($7 AS BIGINT), ${now})) ON CONFLICT DO NOTHING RETURNING ${SHOWN}`,
    [
      id,
      userId,
      kind,
      idempotencyKey ?? null,
      JSON.stringify(payload),
      waits?.reason ?? null,
      waits?.notBefore ?? null,
    ],
  );
  const sameKey = `SELECT ${SHOWN} FROM jobs WHERE user_id = $1 AND idempotency_key = $2`;
  const found = toFirstJob(added.length > 0 ? added : await query<Row>(sameKey, [userId, idempotencyKey ?? null]));
  if (found === undefined) throw new Error('a job was neither added nor there');
  return found;
}

async function list({ of }: SqlDatabase, userId: string, { state, limit }: JobSelection): Promise<readonly Job[]> {
  const rows = await of(userId)<Row>(
    `SELECT ${SHOWN} FROM jobs WHERE user_id = $1 AND (CAST($2 AS TEXT) IS NULL OR state = CAST($2 AS TEXT))
     ORDER BY seq DESC LIMIT $3`,
    [userId, state ?? null, limit],
  );
  return rows.map(toJob);
}

async function renew(
  { query, now }: SqlDatabase,
  { id, lease }: Claim,
  leaseMs: number,
  { done, total }: JobProgress,
): Promise<boolean> {
  const kept = await query(
    `UPDATE jobs SET lease_until = ${now} + CAST($3 AS BIGINT), done = CAST($4 AS BIGINT), total = CAST($5 AS BIGINT)
     WHERE id = $1 AND lease = $2 AND state = 'running' RETURNING id`,
    [id, lease, leaseMs, done, total],
  );
  return kept.length > 0;
}

async function release({ query }: SqlDatabase, { id, lease }: Claim): Promise<void> {
  await query("UPDATE jobs SET lease = NULL, lease_until = NULL WHERE id = $1 AND lease = $2 AND state <> 'running'", [
    id,
    lease,
  ]);
}

/** Of two workers that take at the same moment, the one finds the row locked, or the index on running jobs refuses it. */
async function claim(
  { query, now, lock, isDuplicate }: SqlDatabase,
  { id: lease, ms }: { readonly id: string; readonly ms: number },
): Promise<Claim | undefined> {
  const take = (selected: string): Promise<readonly Row[]> =>
    query<Row>(
      `UPDATE jobs SET state = 'running', attempts = attempts + 1, reason = NULL, lease = $1,
         lease_until = ${now} + CAST($2 AS BIGINT), started_at = ${now}, ended_at = NULL
       WHERE seq = (${selected} LIMIT 1 ${lock}) RETURNING ${TAKEN}`,
      [lease, ms],
    );
  const lost = `SELECT j.seq FROM jobs j WHERE j.state = 'running' AND j.lease_until < ${now} ORDER BY j.lease_until`;
  // Users whose last job began longest ago come first, each with the job that was handed in first.
  const due = `SELECT j.seq FROM jobs j JOIN (
      SELECT user_id, min(seq) AS seq FROM jobs WHERE state IN ('queued', 'failed') AND run_after <= ${now} GROUP BY user_id
    ) first ON first.seq = j.seq
    WHERE j.state IN ('queued', 'failed')
      AND NOT EXISTS (SELECT 1 FROM jobs r WHERE r.user_id = j.user_id AND r.state = 'running')
    ORDER BY (SELECT max(s.started_at) FROM jobs s WHERE s.user_id = j.user_id) NULLS FIRST, j.seq`;
  try {
    const [row] = [...(await take(lost)), ...(await take(due))];
    if (row === undefined) return undefined;
    const { id, user_id: userId, kind, payload, attempts, outcome } = row;
    const before = outcome === null ? undefined : JSON.parse(outcome);
    return { id, userId, kind, payload: JSON.parse(payload), attempts, before, lease };
  } catch (error) {
    if (isDuplicate(error)) return undefined;
    throw error;
  }
}

const toSets = (
  settlement: Settlement,
  now: string,
): readonly [sets: string, ...values: (string | number | null)[]] => {
  switch (settlement.state) {
    case 'done':
      // What was said is in the memories now.
      return [`ended_at = ${now}, outcome = $4, payload = NULL, done = total`, JSON.stringify(settlement.outcome)];
    case 'failed':
      return [
        `outcome = $4, reason = $5, run_after = ${now} + CAST($6 AS BIGINT)`,
        toJson(settlement.outcome),
        settlement.reason,
        settlement.retryInMs,
      ];
    case 'dead':
      return [`ended_at = ${now}, outcome = $4, reason = $5`, toJson(settlement.outcome), settlement.reason];
    case 'queued': {
      const { waits } = settlement;
      if (waits === undefined) return [`attempts = attempts - 1, run_after = ${now}`];
      // A while at least: by a clock that is behind that of the database it would be taken again at once.
      const least = `${now} + ${LEAST_WAIT_MS}`;
      return [
        `attempts = attempts - 1, outcome = $4, reason = $5,
         run_after = CASE WHEN CAST($6 AS BIGINT) > ${least} THEN CAST($6 AS BIGINT) ELSE ${least} END`,
        toJson(waits.outcome),
        waits.reason,
        waits.notBefore,
      ];
    }
  }
};

const toJson = (value: object | undefined): string | null => (value === undefined ? null : JSON.stringify(value));

async function settle({ query, now }: SqlDatabase, { id, lease }: Claim, settlement: Settlement): Promise<void> {
  const [sets, ...values] = toSets(settlement, now);
  await query(
    `UPDATE jobs SET state = $3, lease = NULL, lease_until = NULL, ${sets}
     WHERE id = $1 AND lease = $2 AND state = 'running'`,
    [id, lease, settlement.state, ...values],
  );
}

async function count({ query }: SqlDatabase): Promise<JobCounts> {
  const rows = await query<{ state: JobState; count: number }>(
    'SELECT state, count(*) AS count FROM jobs GROUP BY state',
  );
  const counts = new Map(rows.map((row) => [row.state, row.count]));
  return Object.fromEntries(jobStates.map((state) => [state, counts.get(state) ?? 0])) as JobCounts;
}

async function forget(database: SqlDatabase, userId: string, isDryRun: boolean): Promise<Forgotten> {
  const { of, now, erase } = database;
  const query = of(userId);
  const [found] = await query<{ count: number }>('SELECT count(*) AS count FROM jobs WHERE user_id = $1', [userId]);
  const erased = [{ what: 'jobs', count: found?.count ?? 0 }];
  if (isDryRun) return { erased, unreached: [] };
  await query(
    `UPDATE jobs SET state = 'cancelled', ended_at = ${now}, payload = NULL WHERE user_id = $1 AND state <> 'done'`,
    [userId],
  );
  const isAtWork = await waitForWorkers(database, userId);
  await query('DELETE FROM jobs WHERE user_id = $1', [userId]);
  const why = 'another process went on with one of them: its memories may be there, so forget the user once more';
  return { erased, unreached: [...(isAtWork ? [{ what: 'jobs', why }] : []), ...(await erase(['jobs']))] };
}

/** Waits until no worker has a job of the user; one that was killed has it until its lease ends. */
async function waitForWorkers({ of, now }: SqlDatabase, userId: string): Promise<boolean> {
  const query = of(userId);
  const taken = `SELECT id FROM jobs WHERE user_id = $1 AND lease_until > ${now} LIMIT 1`;
  for (let left = LET_GO_MS / LOOK_MS; left > 0; left -= 1) {
    if ((await query(taken, [userId])).length === 0) return false;
    await sleep(LOOK_MS);
  }
  return true;
}
