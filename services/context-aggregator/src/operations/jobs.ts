import { aggregator as contract } from '@contextloom/contracts/aggregator';
import { defineJobOperations } from '@contextloom/server-kit';
import type { z } from 'zod';
import { askMemoryProcessor, type MemoryProcessorRequest } from '../sources/memories/memory-processor.ts';
import { type AggregatorContext, type OperationDeps, toCallDeps } from './deps.ts';

/** Has the memory processor answer. */
const passOn =
  <Output>(tool: MemoryProcessorRequest<Output>['tool'], { output: answer }: { readonly output: z.ZodType<Output> }) =>
  (args: object, context: AggregatorContext) =>
    askMemoryProcessor({ tool, args, answer }, toCallDeps(context), context);

/** The operations on jobs, in the order that clients see. */
export const jobOperations = defineJobOperations<OperationDeps>({
  descriptions: {
    get_job:
      'Tells how far a job is that store_conversation_memory made with wait false, what came of it and what it cost, or why it came to nothing.',
    cancel_job: 'Ends a job that is not done. What it has saved stays; retry_job goes on with it within 30 days.',
  },
  run: {
    get_job: passOn('get_job', contract.get_job),
    list_jobs: passOn('list_jobs', contract.list_jobs),
    retry_job: passOn('retry_job', contract.retry_job),
    cancel_job: passOn('cancel_job', contract.cancel_job),
  },
});
