import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextloomError, type Estimate, type InputOf, type StoreConversationResponse } from '@contextloom/contracts';
import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { runImporter } from '../conversations/memory-processor.ts';
import {
  callWithTranscript,
  isOneCall,
  type TranscriptOptions,
  toTranscriptArguments,
} from '../conversations/transcript.ts';
import { readGlobals, toDate, toEnd, toUserId } from '../options.ts';
import { describeExtractor } from '../output/extractor.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { describeReading } from '../output/reading-report.ts';
import { renderMemories } from '../output/tables/memory-table.ts';
import { toCount, toDollars } from '../output/text/numbers.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { findOnlyUser, withMemories } from '../whose.ts';

const LABEL_COLUMNS = 15;

/** Writes what reading a conversation would cost in model calls, one line each. */
function describeEstimate(estimate: Estimate): string[] {
  const withoutPrice = estimate.calls === 0 ? 'none' : 'unknown';
  const price = estimate.price_usd === undefined ? withoutPrice : toDollars(estimate.price_usd);
  const rows: readonly (readonly [string, string])[] = [
    ['pieces', toCount(estimate.pieces)],
    ['known before', toCount(estimate.pieces_known)],
    ['calls', toCount(estimate.calls)],
    ['input tokens', toCount(estimate.input_tokens)],
    ['output tokens', `${toCount(estimate.output_tokens)} (a guess)`],
    ['price', `${price} (${toPlainLine(estimate.price_basis)})`],
  ];
  return rows.map(([label, value]) => `${label.padEnd(LABEL_COLUMNS)}${value}`);
}

interface RememberOptions extends TranscriptOptions {
  readonly user?: string;
  readonly force: boolean;
  readonly retryFailed: boolean;
  readonly dryRun: boolean;
  readonly until?: string;
}

const SHOWN_MEMORIES = 5;
const LINES_A_MEMORY = 2;

const EXAMPLES = `
Examples:
  $ contextloom remember "I live in Leith."
  $ contextloom remember "The gate code is 4711." --until 2026-12-24
  $ contextloom remember chat.txt --user ann --transcript chat-with-marlow
  $ contextloom remember chat.txt --user ann --dry-run       what would the model be asked, and what would it cost?
  $ contextloom remember chat.txt --user ann --retry-failed  read those pieces again that failed`;

/** Adds `remember`: a transcript becomes memories of a user. */
export function registerRemember(program: Command, context: CliContext): void {
  program
    .command('remember')
    .description('turn a conversation into memories of a user, or remember one sentence')
    .argument('<file>', 'the conversation, in any format that import reads; or a sentence, in quotes')
    .option('--user <id>', 'whose memories they become; not needed where one person has any', toUserId)
    .option('--until <date>', 'the last day of a sentence, or the time (ISO 8601) at which it is forgotten', toEnd)
    .option('--transcript <id>', 'name of the conversation; a longer version under the same name replaces it')
    .option('--date <date>', 'when it took place (ISO 8601), for turns without a time', toDate)
    .option('--force', 'keep facts of low importance too', false)
    .option('--retry-failed', 'read those pieces again from which no facts could be drawn', false)
    .option('--dry-run', 'only tell what it would ask of the model; nothing is sent or saved', false)
    .addHelpText('after', EXAMPLES)
    .action(async (given: string, options: RememberOptions, command: Command) => {
      const globals = readGlobals(command);
      const isSentence = !existsSync(resolve(context.cwd, given)) && looksLikeWords(given);
      if (isSentence) return rememberSentence(given, options, context, globals);
      if (options.until !== undefined) {
        const message = '--until is of one sentence: how long conversations are kept is said in PRIVACY_FILE';
        throw new ContextloomError('invalid', message, { field: 'until' });
      }
      const user =
        options.user ?? (await withAggregator(context, globals, (one) => findOnlyUser(one, loginOf(context))));
      return rememberFile(given, { ...options, user }, context, globals);
    });
}

/** What names no file: several words, or other signs than a name of a file has, without the ending of one. */
const looksLikeWords = (text: string): boolean => /[\s\p{Script=Han}。，？！]/u.test(text) && !/\.\w{1,5}$/u.test(text);

/** Who uses this machine: whose memories the first ones become. */
const loginOf = ({ env }: CliContext): string => env['USER'] || env['USERNAME'] || 'default';

/** Remembers one sentence of the user. */
async function rememberSentence(text: string, options: RememberOptions, context: CliContext, globals: GlobalOptions) {
  const { user: named, transcript, date, force, retryFailed, dryRun, until } = options;
  if (transcript !== undefined || date !== undefined || force || retryFailed || dryRun) {
    const message = `there is no file "${toPlainLine(text)}", and a sentence takes no option but --user and --until`;
    throw new ContextloomError('invalid', message, { field: 'file' });
  }
  const whose = { user: named, usual: loginOf(context) };
  const { user_id, ...answer } = await withMemories(whose, { context, globals }, async (aggregator, user_id) => {
    return {
      user_id,
      ...(await aggregator.call('remember', { text, user_id, ...(until !== undefined && { expires_at: until }) })),
    };
  });
  if (globals.json) printJson(context, answer);
  else printLines(context, [`Remembered of ${user_id}: ${toPlainLine(text)}`, `  ${toPlainLine(answer.id)}`]);
}

/** Reads a conversation in a file. */
async function rememberFile(
  file: string,
  options: RememberOptions & { readonly user: string },
  context: CliContext,
  globals: GlobalOptions,
): Promise<void> {
  if (globals.url === undefined && !(await isOneCall(file, context)))
    return runImporter(toImport(file, options), context, globals);
  const args = await toArguments(file, options, context);
  const title = options.dryRun ? 'estimating' : 'remembering';
  const answer = await callWithTranscript({ tool: 'store_conversation_memory', args, title }, context, globals);
  if (options.dryRun) refuseSaved(answer);
  if (globals.json) printJson(context, answer);
  else if (options.dryRun) printEstimate(context, answer);
  else printAnswer(context, answer);
}

/** What one call cannot carry, such as an archive or another encoding, is imported without questions. */
function toImport(file: string, options: RememberOptions & { readonly user: string }) {
  const { user, transcript, date, force, retryFailed, dryRun } = options;
  return [
    'import',
    file,
    `--user=${user}`,
    '--yes',
    ...(transcript === undefined ? [] : [`--transcript-id=${transcript}`]),
    ...(date === undefined ? [] : [`--date=${date}`]),
    ...(force ? ['--force'] : []),
    ...(retryFailed ? ['--retry-failed'] : []),
    ...(dryRun ? ['--dry-run'] : []),
  ];
}

async function toArguments(
  file: string,
  options: RememberOptions & { readonly user: string },
  context: CliContext,
): Promise<InputOf<AggregatorContract, 'store_conversation_memory'>> {
  return {
    user_id: options.user,
    ...(await toTranscriptArguments(file, options, context)),
    force_save: options.force,
    // A file was written some time ago, and its turns belong to no earlier call.
    undated_turns: 'none',
    ...(options.retryFailed && { retry_failed: true }),
    ...(options.dryRun && { dry_run: true }),
  };
}

/** A memory processor without dry_run ignores it and saves: that must not look like an estimate. */
function refuseSaved({ estimate, memories_saved }: StoreConversationResponse): void {
  if (estimate !== undefined || memories_saved === 0) return;
  throw new ContextloomError(
    'conflict',
    `the memory processor does not know dry runs: it saved ${memories_saved} memories. Bring it up to date`,
  );
}

function printEstimate(context: CliContext, { estimate, extractor }: StoreConversationResponse): void {
  const lines = estimate === undefined ? ['The memory processor gave no estimate.'] : describeEstimate(estimate);
  printLines(context, [...lines, `Nothing was saved. Memories would be made by ${describeExtractor(extractor)}.`]);
}

function printAnswer(context: CliContext, answer: StoreConversationResponse): void {
  const saved = [...answer.saved_memories].sort((a, b) => b.importance - a.importance);
  const rest = saved.length > SHOWN_MEMORIES ? `; the ${SHOWN_MEMORIES} most important are shown` : '';
  const made = describeExtractor(answer.extractor);
  printLines(context, [
    ...(saved.length === 0
      ? []
      : [renderMemories(saved.slice(0, SHOWN_MEMORIES), outputLook(context), LINES_A_MEMORY)]),
    ...describeReading({ ...answer, kept: answer.memories_saved, known: answer.memories_known }),
    `${answer.memories_saved} of ${answer.memories_extracted} memories saved, made by ${made}${rest}`,
  ]);
}
