import type { Forgotten, JobCounts, JobResult, JobState, JsonObject, ModelUsage } from '@contextloom/contracts';

/** What a job came to. */
export interface JobOutcome {
  readonly result: JobResult;
  /** Use of the model; absent without one. */
  readonly cost?: ModelUsage | undefined;
}

/** How far a job is, in pieces of its conversation. */
export interface JobProgress {
  readonly done: number;
  readonly total: number;
}

/** A job as a person follows it. Times are milliseconds since 1970, by the clock of the database. */
export interface Job {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly state: JobState;
  readonly progress: JobProgress;
  readonly attempts: number;
  readonly createdAt: number;
  readonly startedAt: number | undefined;
  readonly endedAt: number | undefined;
  /** When it may begin. */
  readonly runAfter: number;
  readonly reason: string | undefined;
  readonly outcome: JobOutcome | undefined;
}

/** Why a job does not begin yet, and when it may, in milliseconds since 1970. */
export interface Wait {
  readonly reason: string;
  readonly notBefore: number;
}

/** A job to be done. */
export interface NewJob {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  /** All that its work needs. */
  readonly payload: JsonObject;
  readonly idempotencyKey?: string | undefined;
  /** What it waits for; it may begin at once when absent. */
  readonly waits?: Wait | undefined;
}

/** A job that a worker has taken. It is the worker's until the lease ends, and longer with each renewal. */
export interface Claim {
  readonly id: string;
  readonly userId: string;
  readonly kind: string;
  readonly payload: JsonObject;
  /** This attempt included. */
  readonly attempts: number;
  /** What an attempt before came to, if it looked at the whole. */
  readonly before?: JobOutcome | undefined;
  /** Names this taking: another one of the same job has another. */
  readonly lease: string;
}

/** What becomes of a job that a worker had taken; `queued` hands it back as if it had not been begun, to wait for what it names. */
export type Settlement =
  | { readonly state: 'done'; readonly outcome: JobOutcome }
  | {
      readonly state: 'failed';
      readonly reason: string;
      readonly retryInMs: number;
      readonly outcome?: JobOutcome | undefined;
    }
  | { readonly state: 'dead'; readonly reason: string; readonly outcome?: JobOutcome | undefined }
  | { readonly state: 'queued'; readonly waits?: Wait & { readonly outcome: JobOutcome } };

/** Which of a user's jobs are listed, newest first. */
export interface JobSelection {
  readonly state?: JobState | undefined;
  readonly limit: number;
}

/**
 * Jobs that are done once each, in the order in which users handed them in, and one of each user at a time: users take turns.
 * All methods reject with `ContextloomError`; what one has returned is durable.
 */
export interface JobQueue {
  /** Adds a job, unless one of the user has the same idempotency key; answers the one that is there then. */
  readonly add: (job: NewJob) => Promise<Job>;
  /** Takes the next job, or one whose worker is gone; undefined when none is due. */
  readonly claim: (lease: { readonly id: string; readonly ms: number }) => Promise<Claim | undefined>;
  /** Keeps a job for longer; answers whether it is still this worker's. */
  readonly renew: (claim: Claim, leaseMs: number, progress: JobProgress) => Promise<boolean>;
  /** Says what became of a job; nothing where it is no longer this worker's. */
  readonly settle: (claim: Claim, settlement: Settlement) => Promise<void>;
  /** Lets go of a job that was cancelled, once nothing is done for it any more. */
  readonly release: (claim: Claim) => Promise<void>;
  /** A job by its id, of this user if one is named. */
  readonly find: (id: string, userId: string | undefined) => Promise<Job | undefined>;
  readonly list: (userId: string, selection: JobSelection) => Promise<readonly Job[]>;
  /** Has a job begun anew that failed, is dead, was cancelled or waits; undefined for any other. */
  readonly retry: (id: string, userId: string | undefined) => Promise<Job | undefined>;
  /** Ends a job that is not done; undefined for one that is, and for one that is not there. */
  readonly cancel: (id: string, userId: string | undefined) => Promise<Job | undefined>;
  readonly count: () => Promise<JobCounts>;
  /** How many queued jobs wait for something that they name. */
  readonly countWaiting: () => Promise<number>;
  /** Removes what was done or cancelled so long ago. */
  readonly purge: (olderThanMs: number) => Promise<void>;
  /** Counts a user's jobs, and unless it is a dry run ends and erases them with their conversations. */
  readonly forget: (userId: string, isDryRun: boolean) => Promise<Forgotten>;
  readonly close: () => Promise<void>;
}
