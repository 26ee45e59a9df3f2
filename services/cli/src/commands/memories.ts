import { type GetUserMemoriesResponse, getUserMemoriesResponseSchema, memoryTypeSchema } from '@contextloom/contracts';
import { type Command, Option } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toInteger, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { renderNumbered } from '../output/tables/memory-table.ts';

interface MemoriesOptions {
  readonly user: string;
  readonly query: string;
  readonly type?: string;
  readonly limit: number;
}

const LINES_A_MEMORY = 4;

/** Adds `memories`: a table of what is remembered about a user. */
export function registerMemories(program: Command, context: CliContext): void {
  program
    .command('memories')
    .description('list what is remembered about a user, with the ids of the memories')
    .requiredOption('--user <id>', 'whose memories', toUserId)
    .option('--query <text>', 'what to look for; without it, the most important first', '')
    .addOption(new Option('--type <type>', 'only memories of this type').choices(memoryTypeSchema.options))
    .option('--limit <n>', 'how many, 1 to 100', toInteger(1, 100), 10)
    .addHelpText('after', '\nExample:\n  $ contextloom memories --user tess --query "allergic to walnuts" --limit 3')
    .action(async (options: MemoriesOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = {
        user_id: options.user,
        query: options.query,
        top_k: options.limit,
        ...(options.type !== undefined && { memory_type: options.type }),
      };
      const answer = await withAggregator(context, globals, (aggregator) =>
        aggregator.call('get_user_memories', args, getUserMemoriesResponseSchema),
      );
      if (globals.json) return printJson(context, answer);
      printAnswer(context, answer);
    });
}

function printAnswer(context: CliContext, { user_id, total_memories, memories }: GetUserMemoriesResponse): void {
  const lines =
    memories.length === 0
      ? [`Nothing is remembered about ${user_id} that matches.`]
      : [
          renderNumbered(memories, outputLook(context), LINES_A_MEMORY),
          `${memories.length} of ${total_memories} memories of ${user_id}`,
        ];
  printLines(context, lines);
}
