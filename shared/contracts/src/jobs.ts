import { z } from 'zod';
import { modelUsageSchema, processTranscriptResponseSchema } from './memories.ts';
import { identifier, userIdSchema } from './values/identifiers.ts';

/** The tool by which a server says how many jobs it has, of all users. */
export const COUNT_JOBS = 'count_jobs';

/** How far a job is. */
export const jobStates = ['queued', 'running', 'done', 'failed', 'dead', 'cancelled'] as const;
/** How far a job is. */
export type JobState = (typeof jobStates)[number];

const stateSchema = z
  .enum(jobStates)
  .describe(
    'failed: the last attempt came to nothing, and the next is at next_attempt_at. dead: no further attempt unless retry_job asks for one.',
  );

/** What a job that read a conversation came to. It has no words of the conversation: those are in the memories. */
export const jobResultSchema = processTranscriptResponseSchema
  .pick({
    message: true,
    extractor: true,
    transcript_id: true,
    transcript_ids: true,
    memories_extracted: true,
    memories_saved: true,
    memories_known: true,
    kept_as_corrected: true,
    left_out_deleted: true,
    failed: true,
  })
  .extend({ memory_ids: z.array(z.string()).describe('The memories that were saved.') });
/** What a job that read a conversation came to. */
export type JobResult = z.output<typeof jobResultSchema>;

/** One job as answers show it. Times are ISO 8601 UTC. */
export const jobSchema = z.object({
  job_id: z.string(),
  kind: z.string().describe('What it does: store_conversation, or read_imported for the rest of an import.'),
  state: stateSchema,
  progress: z.object({ done: z.int(), total: z.int() }).describe('Pieces of the conversation; 0 of 0 until it begins.'),
  attempts: z.int().describe('How often it was begun.'),
  created_at: z.string(),
  started_at: z.string().optional(),
  ended_at: z.string().optional(),
  next_attempt_at: z.string().optional(),
  reason: z.string().optional().describe('Why the last attempt came to nothing, or what a queued job waits for.'),
  result: jobResultSchema.optional(),
  cost: modelUsageSchema.optional().describe('What the model was asked in the last attempt.'),
});
/** One job as answers show it. */
export type JobAnswer = z.output<typeof jobSchema>;

/** A job that is done, as examples of operations show it. */
export const exampleJob: JobAnswer = {
  job_id: '0198c2f4-6f5e-7cc3-9d1b-2f6a3c0d8e11',
  kind: 'store_conversation',
  state: 'done',
  progress: { done: 1, total: 1 },
  attempts: 1,
  created_at: '2026-05-01T10:00:00.000Z',
  started_at: '2026-05-01T10:00:00.100Z',
  ended_at: '2026-05-01T10:00:02.000Z',
  result: {
    message: 'Saved 1 memory, rated by written rules.',
    extractor: { kind: 'rules', name: 'rules' },
    transcript_id: 'chat-1',
    memories_extracted: 1,
    memories_saved: 1,
    memories_known: 0,
    memory_ids: ['memory-1'],
  },
};
/** What examples name that job by. */
export const exampleJobInput = { user_id: 'ann', job_id: exampleJob.job_id };

const oneJobSchema = z.object({
  user_id: userIdSchema.optional().describe('The user whose job it is.'),
  job_id: identifier('The job, as the call that made it answered it.'),
});

/** How many jobs there are by state, of all users. */
export const jobCountsSchema = z.object({
  queued: z.int(),
  running: z.int(),
  done: z.int().describe('Those of the last 30 days.'),
  failed: z.int(),
  dead: z.int(),
  cancelled: z.int().describe('Those of the last 30 days.'),
});
/** How many jobs there are by state. */
export type JobCounts = z.output<typeof jobCountsSchema>;
/** What the model may be asked for on a day, and what of it is used. */
export const budgetSchema = z.object({
  day: z.string().describe("Today, in the budget's time zone."),
  tokens_used: z.int(),
  tokens: z.int().optional().describe('The most of the day.'),
  dollars_used: z.number().optional(),
  dollars: z.number().optional().describe('The most of the day.'),
  hours: z.string().optional().describe('The hours in which the model is asked, such as 22-6.'),
  next_at: z.string().optional().describe('When the model is asked again; absent while it may be.'),
  waiting_jobs: z.int().describe('Queued jobs with pieces to be read then.'),
});
/** What the model may be asked for on a day, and what of it is used. */
export type BudgetAnswer = z.output<typeof budgetSchema>;

/** The answer of {@link COUNT_JOBS}. */
export const countJobsAnswerSchema = z.object({ jobs: jobCountsSchema, budget: budgetSchema.optional() });

/** What the operations on jobs take and answer, the same at the memory processor and at the aggregator. */
export const jobOperations = {
  cancel_job: { input: oneJobSchema, output: jobSchema },
  get_job: { input: oneJobSchema, output: jobSchema },
  list_jobs: {
    input: z.object({
      user_id: userIdSchema,
      state: z.enum(jobStates).optional().describe('Only those in this state.'),
      limit: z.int().min(1, 'must be 1 to 200').max(200, 'must be 1 to 200').default(50),
    }),
    output: z.object({ jobs: z.array(jobSchema) }),
  },
  retry_job: { input: oneJobSchema, output: jobSchema },
} as const;
