import { memoryKinds } from '@contextloom/contracts/aggregator';
import { cutSnippet, findMatches, tokenize } from '@contextloom/retrieval';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { machineZone } from '../init/guide.ts';
import { readGlobals, toInteger, toUserId } from '../options.ts';
import { printJson, printLines } from '../output/print.ts';
import { toDay } from '../output/tables/memory-table.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { type RecalledWithin, recallWithin } from '../recall-within.ts';
import { withMemories } from '../whose.ts';

/** Of a long memory the passage is shown that answers, in UTF-16 code units. */
const PASSAGE = 240;

/** The id of one memory of all stores; one of "contextloom memories" is that of a note. */
export const toMemoryId = (id: string): string =>
  memoryKinds.some((kind) => id.startsWith(`${kind}:`)) ? id : `note:${id}`;

interface RecallOptions {
  readonly user?: string;
  readonly limit: number;
}

/** Adds `recall`: what answers a question, out of all stores. */
export function registerRecall(program: Command, context: CliContext): void {
  program
    .command('recall')
    .description('find what answers a question, in all that is remembered about a user')
    .argument('<question>', 'in the words of a question')
    .option('--user <id>', 'whose memories; not needed where one person has any', toUserId)
    .option('--limit <n>', 'how many, 1 to 50', toInteger(1, 50), 5)
    .addHelpText(
      'after',
      '\nExamples:\n  $ contextloom recall "Where do I live?"\n  $ contextloom recall "What did I do last summer?"',
    )
    .action(async (query: string, { user, limit }: RecallOptions, command: Command) => {
      const globals = readGlobals(command);
      const answer = await withMemories({ user }, { context, globals }, (aggregator, user_id) =>
        recallWithin(aggregator, { query, limit, user_id }, { now: context.clock(), zone: machineZone() }),
      );
      if (globals.json) return printJson(context, answer);
      const tokens = tokenize(query);
      const lines = answer.memories.flatMap(({ id, text, time }, at) => {
        const passage = cutSnippet(text, findMatches(text, tokens), { maxLength: PASSAGE }).text;
        return [`${at + 1}. ${toPlainLine(passage)}`, `   ${toDay(time)}  ${toPlainLine(id)}`];
      });
      const missed = answer.not_asked.map(({ store, reason }) =>
        toPlainLine(`Not looked through: ${store} (${reason})`),
      );
      const found = lines.length === 0 ? ['Nothing that is remembered answers this.'] : lines;
      printLines(context, [...toTimeLines(answer), ...found, ...missed]);
    });
}

/** Says which days an answer is of, where the question named a time. */
function toTimeLines({ time, memories }: RecalledWithin): readonly string[] {
  if (time === undefined || memories.length === 0) return [];
  const days = time.from === time.to ? time.from : `${time.from} to ${time.to}`;
  const named = toPlainLine(`"${time.when}", ${days}`);
  return [time.isMet ? `Of ${named}:` : `Nothing that answers this is of ${named}. Of any time:`];
}

interface CorrectOptions {
  readonly user?: string;
  readonly dryRun: boolean;
}

/** Adds `correct`: what one memory says from now on. */
export function registerCorrect(program: Command, context: CliContext): void {
  program
    .command('correct')
    .description('say what is right in place of what one memory says')
    .argument('<id>', 'of the memory, as recall and memories show it')
    .argument('<text>', 'what is right: one sentence; of a value of the profile, the value')
    .option('--user <id>', 'whose memory; not needed where one person has any', toUserId)
    .option('--dry-run', 'only say what would change with it', false)
    .addHelpText('after', '\nExample:\n  $ contextloom correct fact:city "Porto"')
    .action(async (id: string, text: string, { user, dryRun }: CorrectOptions, command: Command) => {
      const globals = readGlobals(command);
      const answer = await withMemories({ user }, { context, globals }, (aggregator, user_id) =>
        aggregator.call('update_memory', { id: toMemoryId(id), text, user_id, ...(dryRun && { dry_run: true }) }),
      );
      if (globals.json) return printJson(context, answer);
      printChange(context, answer);
    });
}

/** Says what a change of one memory did, and what followed from it. */
export function printChange(
  context: CliContext,
  { message, consequences = [] }: { readonly message: string; readonly consequences?: readonly string[] | undefined },
): void {
  printLines(context, [message, ...consequences.map((one) => `  ${one}`)].map(toPlainLine));
}
