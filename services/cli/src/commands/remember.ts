import { ContextloomError, type Estimate, type InputOf, type StoreConversationResponse } from '@contextloom/contracts';
import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { runImporter } from '../conversations/memory-processor.ts';
import {
  callWithTranscript,
  isOneCall,
  type TranscriptOptions,
  toTranscriptArguments,
} from '../conversations/transcript.ts';
import { readGlobals, toDate, toUserId } from '../options.ts';
import { describeExtractor } from '../output/extractor.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { describeReading } from '../output/reading-report.ts';
import { renderMemories } from '../output/tables/memory-table.ts';
import { toCount, toDollars } from '../output/text/numbers.ts';
import { toPlainLine } from '../output/text/plain.ts';

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
  readonly user: string;
  readonly force: boolean;
  readonly retryFailed: boolean;
  readonly dryRun: boolean;
}

const SHOWN_MEMORIES = 5;
const LINES_A_MEMORY = 2;

const EXAMPLES = `
Examples:
  $ contextloom remember chat.txt --user ann --transcript chat-with-marlow
  $ contextloom remember chat.txt --user ann --dry-run       what would the model be asked, and what would it cost?
  $ contextloom remember chat.txt --user ann --retry-failed  read those pieces again that failed`;

/** Adds `remember`: a transcript becomes memories of a user. */
export function registerRemember(program: Command, context: CliContext): void {
  program
    .command('remember')
    .description('turn a conversation into memories of a user')
    .argument('<file>', 'the conversation, in any format that import reads')
    .requiredOption('--user <id>', 'whose memories they become', toUserId)
    .option('--transcript <id>', 'name of the conversation; a longer version under the same name replaces it')
    .option('--date <date>', 'when it took place (ISO 8601), for turns without a time', toDate)
    .option('--force', 'keep facts of low importance too', false)
    .option('--retry-failed', 'read those pieces again from which no facts could be drawn', false)
    .option('--dry-run', 'only tell what it would ask of the model; nothing is sent or saved', false)
    .addHelpText('after', EXAMPLES)
    .action(async (file: string, options: RememberOptions, command: Command) => {
      const globals = readGlobals(command);
      if (globals.url === undefined && !(await isOneCall(file, context)))
        return runImporter(toImport(file, options), context, globals);
      const args = await toArguments(file, options, context);
      const answer = await callWithTranscript(
        {
          tool: 'store_conversation_memory',
          args,
          title: options.dryRun ? 'estimating' : 'remembering',
        },
        context,
        globals,
      );
      if (options.dryRun) refuseSaved(answer);
      if (globals.json) printJson(context, answer);
      else if (options.dryRun) printEstimate(context, answer);
      else printAnswer(context, answer);
    });
}

/** What one call cannot carry, such as an archive or another encoding, is imported without questions. */
function toImport(file: string, { user, transcript, date, force, retryFailed, dryRun }: RememberOptions) {
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
  options: RememberOptions,
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
