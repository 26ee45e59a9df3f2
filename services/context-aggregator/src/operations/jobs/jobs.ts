import { exampleJob, exampleJobInput } from '@contextloom/contracts';
import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineOperation, type Operation } from '@contextloom/server-kit';
import { askMemoryProcessor } from '../../sources/memories/memory-processor.ts';
import { type AggregatorContext, type OperationDeps, toCallDeps } from '../deps.ts';

/** Tells how far a job is. */
const getJob = defineOperation({
  name: 'get_job',
  title: 'Get a job',
  description:
    'Tells how far a job is that store_conversation_memory made with wait false, what came of it and what it cost, or why it came to nothing.',
  effect: 'reads',
  scope: 'user',
  ...contract.get_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'get_job', args, answer: contract.get_job.output }, toCallDeps(context), context),
});

/** Lists a user's jobs. */
const listJobs = defineOperation({
  name: 'list_jobs',
  title: 'List jobs',
  description: "Lists a user's jobs, newest first. What was done or cancelled is listed for 30 days.",
  effect: 'reads',
  scope: 'user',
  ...contract.list_jobs,
  example: { input: { user_id: 'ann' }, output: { jobs: [exampleJob] } },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'list_jobs', args, answer: contract.list_jobs.output }, toCallDeps(context), context),
});

/** Has a job begun anew. */
const retryJob = defineOperation({
  name: 'retry_job',
  title: 'Retry a job',
  description: 'Has a job that failed, is dead or was cancelled begun anew at once.',
  effect: 'adds',
  hints: { isIdempotent: false, isOpenWorld: true },
  scope: 'user',
  ...contract.retry_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'retry_job', args, answer: contract.retry_job.output }, toCallDeps(context), context),
});

/** Ends a job. */
const cancelJob = defineOperation({
  name: 'cancel_job',
  title: 'Cancel a job',
  description: 'Ends a job that is not done. What it has saved stays; retry_job goes on with it within 30 days.',
  effect: 'replaces',
  hints: { isIdempotent: false, isDestructive: false },
  scope: 'user',
  ...contract.cancel_job,
  example: { input: exampleJobInput, output: exampleJob },
  run: (args, context: AggregatorContext) =>
    askMemoryProcessor({ tool: 'cancel_job', args, answer: contract.cancel_job.output }, toCallDeps(context), context),
});

/** The operations on jobs, in the order that clients see. */
export const jobOperations: readonly Operation<OperationDeps>[] = [getJob, listJobs, retryJob, cancelJob];
