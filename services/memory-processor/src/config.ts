import { isAbsolute, join } from 'node:path';
import { ContextloomError, isTimeZone } from '@contextloom/contracts';
import { knowledgeClientSettings } from '@contextloom/knowledge-client';
import { chatModelSettings } from '@contextloom/llm';
import { type Flag, type SettingValues, setting, userFolders } from '@contextloom/runtime';
import { z } from 'zod';
import { DEFAULT_THRESHOLD } from './create-memory-processor.ts';
import { parseHours } from './domain/budget/hours.ts';
import { FACT_CHECKS } from './extraction/ask-support.ts';

const PRICE = 'must be a number of US dollars, 0 or more';
const READ_TOKENS = 'must be a whole number from 0 to 8000';
const BUDGET_TOKENS = 'must be a whole number above 0';
const BUDGET_DOLLARS = 'must be a number of US dollars above 0';
const BUDGET_HOURS = 'must be two different hours of the day, such as 22-6';
const NAME = 'must have 1 to 100 characters';
const TOKENS = 'must be a whole number from 256 to 128000';
const DATABASE_URL = 'must be an address such as postgres://user:password@127.0.0.1:5432/contextloom';
const JOBS = 'must be a whole number from 0 to 64';
const LEASE = 'must be a whole number from 1 to 3600';
const price = z.coerce.number(PRICE).min(0, PRICE);

const DEFAULT_FOLDER = join(userFolders.data, 'memory-processor');

/** The model that draws facts from conversations. */
const modelSettings = {
  ...chatModelSettings,
  llmModel: setting({
    ...chatModelSettings.llmModel,
    description: 'The model that extracts memories; written rules do when neither it nor a key nor an address is set',
  }),
  llmMaxTokens: setting({
    env: ['LLM_MAX_TOKENS'],
    schema: z.coerce.number(TOKENS).int(TOKENS).min(256, TOKENS).max(128_000, TOKENS),
    default: 4_000,
    description:
      'Most tokens of an answer of the model, its reasoning included; lowered by itself where an endpoint takes fewer',
  }),
  llmReadTokens: setting({
    env: ['LLM_READ_TOKENS'],
    schema: z.coerce.number(READ_TOKENS).int(READ_TOKENS).min(0, READ_TOKENS).max(8_000, READ_TOKENS),
    default: 1_500,
    description: 'Most tokens of a session that the model reads in one call; 0 has it read each window by itself',
  }),
  llmCheckFacts: setting({
    env: ['LLM_CHECK_FACTS'],
    schema: z.enum(FACT_CHECKS, 'must be "off", "doubtful" or "all"'),
    default: 'all' as const,
    description:
      'Which facts the model is asked about a second time, with what was said: none, those that exact checks are not sure of, or all',
  }),
  userName: setting({
    env: ['MEMORY_USER_NAME'],
    schema: z.string().trim().min(1, NAME).max(100, NAME),
    description:
      'What facts call a person who speaks as "user" alone, as in conversations with an assistant (default: the name that the user id reads like)',
  }),
  llmInputPrice: setting({
    env: ['LLM_INPUT_PRICE'],
    schema: price,
    description: 'US dollars a million input tokens, for estimates; else by the public list price of the model',
  }),
  llmOutputPrice: setting({
    env: ['LLM_OUTPUT_PRICE'],
    schema: price,
    description: 'US dollars a million output tokens, for estimates',
  }),
};

/** What the model may be asked for. */
const budgetSettings = {
  budgetTokens: setting({
    env: ['LLM_BUDGET_TOKENS'],
    schema: z.coerce.number(BUDGET_TOKENS).int(BUDGET_TOKENS).positive(BUDGET_TOKENS),
    description: 'Most tokens a day that the model reads and writes; what does not fit is read later',
  }),
  budgetDollars: setting({
    env: ['LLM_BUDGET_DOLLARS'],
    schema: z.coerce.number(BUDGET_DOLLARS).positive(BUDGET_DOLLARS),
    description: 'Most US dollars a day that the model costs; what does not fit is read later',
  }),
  budgetHours: setting({
    env: ['LLM_BUDGET_HOURS'],
    schema: z.string().transform((text, context) => {
      const hours = parseHours(text);
      if (hours === undefined) context.addIssue({ code: 'custom', message: BUDGET_HOURS });
      return hours ?? z.NEVER;
    }),
    description: 'The hours of the day in which the model is asked, such as 22-6; else at any',
  }),
  timeZone: setting({
    env: ['TIMEZONE'],
    schema: z.string().refine(isTimeZone, 'must be the name of a time zone, such as UTC or Asia/Shanghai'),
    default: Intl.DateTimeFormat().resolvedOptions().timeZone,
    description: 'Where the days and hours of the budget begin (IANA)',
  }),
};

/** What the memory processor takes from the environment. */
export const settings = {
  ...modelSettings,
  ...budgetSettings,
  ...knowledgeClientSettings,
  threshold: setting({
    env: ['MEMORY_IMPORTANCE_THRESHOLD'],
    schema: z.coerce.number().min(1, 'must be a number from 1 to 10').max(10, 'must be a number from 1 to 10'),
    default: DEFAULT_THRESHOLD,
    description: 'Facts of less importance are not saved unless forced, 1 to 10; episodes always are',
  }),
  dataDir: setting({
    env: ['MEMORY_PROCESSOR_DATA_DIR'],
    schema: z.string().refine(isAbsolute, `must be an absolute path, such as ${DEFAULT_FOLDER}`),
    default: DEFAULT_FOLDER,
    description: 'The folder of the journal of imports and of the jobs, an absolute path',
  }),
  databaseUrl: setting({
    env: ['DATABASE_URL'],
    schema: z.url({ protocol: /^postgres(?:ql)?$/, error: DATABASE_URL }),
    secret: true,
    description:
      'A Postgres database (15 or newer) that keeps the jobs and the journal of imports, instead of the folder, whose own are moved there',
  }),
  jobConcurrency: setting({
    env: ['JOB_CONCURRENCY'],
    schema: z.coerce.number(JOBS).int(JOBS).min(0, JOBS).max(64, JOBS),
    default: 2,
    description: 'Jobs that a process works on at once, one of each user; 0 leaves them to "contextloom worker"',
  }),
  jobLeaseSeconds: setting({
    env: ['JOB_LEASE_SECONDS'],
    schema: z.coerce.number(LEASE).int(LEASE).min(1, LEASE).max(3_600, LEASE),
    default: 60,
    description:
      'After so many seconds without a sign of its worker, another one takes a job, and an import is cut off',
  }),
  undatedTurns: setting({
    env: ['UNDATED_TURNS'],
    schema: z.enum(['call', 'none'], 'must be "call" or "none"'),
    default: 'call' as const,
    description: 'What turns without a date get in calls that do not say: the time of the call, or none',
  }),
};

/** What the server takes from the command line. */
export const flags = {
  config: { type: 'string', description: 'The composition file (default: MCP_CONFIG, or that of the installation)' },
  worker: {
    type: 'string',
    isValueOptional: true,
    description: 'Work on jobs until it is ended, so many at once (2), instead of serving',
  },
} as const satisfies Readonly<Record<string, Flag>>;

/** The settings, read. */
export type Config = SettingValues<typeof settings>;

/** Reads how many jobs a worker does at once. @throws ContextloomError `invalid` */
export function parseWorkers(given: unknown): number {
  const count = given === '' || given === undefined ? 2 : Number(given);
  if (Number.isInteger(count) && count >= 1 && count <= 64) return count;
  throw new ContextloomError('invalid', '--worker must be a whole number from 1 to 64', { field: '--worker' });
}
