import { jobOperations as contract, type DeepReadonly, exampleJob, exampleJobInput } from '@contextloom/contracts';
import type { z } from 'zod';
import type { OperationContext } from './context.ts';
import { defineOperation, type Operation } from './operation.ts';

type Contract = typeof contract;
type Run<Deps, Name extends keyof Contract> = (
  input: z.output<Contract[Name]['input']>,
  context: OperationContext<Deps>,
) => Promise<DeepReadonly<z.input<Contract[Name]['output']>>>;

/** What a server does with its jobs, and what it says of that. */
export interface JobOperationsOptions<Deps> {
  readonly descriptions: Readonly<Record<'get_job' | 'cancel_job', string>>;
  readonly run: { readonly [Name in keyof Contract]: Run<Deps, Name> };
}

/** The operations on jobs, the same at who does them and at who passes them on, in the order that clients see. */
export function defineJobOperations<Deps>({
  descriptions,
  run,
}: JobOperationsOptions<Deps>): readonly Operation<Deps>[] {
  const ofOne = { scope: 'user', example: { input: exampleJobInput, output: exampleJob } } as const;
  return [
    defineOperation({
      ...ofOne,
      name: 'get_job',
      title: 'Get a job',
      description: descriptions.get_job,
      effect: 'reads',
      ...contract.get_job,
      run: run.get_job,
    }),
    defineOperation({
      name: 'list_jobs',
      title: 'List jobs',
      description: "Lists a user's jobs, newest first. What was done or cancelled is listed for 30 days.",
      effect: 'reads',
      scope: 'user',
      ...contract.list_jobs,
      example: { input: { user_id: 'ann' }, output: { jobs: [exampleJob] } },
      run: run.list_jobs,
    }),
    defineOperation({
      ...ofOne,
      name: 'retry_job',
      title: 'Retry a job',
      description: 'Has a job that failed, is dead, was cancelled or waits for the budget begun anew at once.',
      effect: 'adds',
      hints: { isIdempotent: false, isOpenWorld: true },
      ...contract.retry_job,
      run: run.retry_job,
    }),
    defineOperation({
      ...ofOne,
      name: 'cancel_job',
      title: 'Cancel a job',
      description: descriptions.cancel_job,
      effect: 'replaces',
      hints: { isIdempotent: false, isDestructive: false },
      ...contract.cancel_job,
      run: run.cancel_job,
    }),
  ];
}
