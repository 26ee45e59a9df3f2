import { type GetUserMemoriesResponse, type MemoryType, memoryTypeSchema } from '@contextloom/contracts';
import { cutSnippet, findMatches, tokenize } from '@contextloom/retrieval';
import { type Command, Option } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toInteger, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { renderNumbered } from '../output/tables/memory-table.ts';
import { findOnlyUser } from '../whose.ts';

interface MemoriesOptions {
  readonly user?: string;
  readonly query: string;
  readonly type?: MemoryType;
  readonly limit: number;
}

const LINES_A_MEMORY = 4;
/** What those lines hold in a terminal of usual width, in UTF-16 code units. */
const PASSAGE = 160;

/** Adds `memories`: a table of what is remembered about a user. */
export function registerMemories(program: Command, context: CliContext): void {
  program
    .command('memories')
    .description('list what is remembered about a user, with the ids of the memories')
    .option('--user <id>', 'whose memories; not needed where one person has any', toUserId)
    .option('--query <text>', 'what to look for; without it, the most important first', '')
    .addOption(new Option('--type <type>', 'only memories of this type').choices(memoryTypeSchema.options))
    .option('--limit <n>', 'how many, 1 to 100', toInteger(1, 100), 10)
    .addHelpText('after', '\nExample:\n  $ contextloom memories --user tess --query "allergic to walnuts" --limit 3')
    .action(async (options: MemoriesOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = {
        query: options.query,
        top_k: options.limit,
        ...(options.type !== undefined && { memory_type: options.type }),
      };
      const answer = await withAggregator(context, globals, async (aggregator) => {
        const user_id = options.user ?? (await findOnlyUser(aggregator));
        return aggregator.call('get_user_memories', { user_id, ...args });
      });
      if (globals.json) return printJson(context, answer);
      printAnswer(context, answer, options.query);
    });
}

/** The passage that a question found, where more was said than is shown; the beginning without a question. */
function toShown(memories: GetUserMemoriesResponse['memories'], query: string): GetUserMemoriesResponse['memories'] {
  if (query === '') return memories;
  const tokens = tokenize(query);
  return memories.map((memory) => {
    const { text } = cutSnippet(memory.content, findMatches(memory.content, tokens), { maxLength: PASSAGE });
    return { ...memory, content: text };
  });
}

function printAnswer(context: CliContext, answer: GetUserMemoriesResponse, query: string): void {
  const { user_id, total_memories, memories, not_listed: others = [] } = answer;
  const lines =
    memories.length === 0
      ? [`Nothing is remembered about ${user_id} that matches.`]
      : [
          renderNumbered(toShown(memories, query), outputLook(context), LINES_A_MEMORY),
          `${memories.length} of ${total_memories} memories of ${user_id}`,
        ];
  const more =
    others.length === 0 ? [] : [`Not listed: ${others.join(', ')}. "contextloom console" shows what they remember.`];
  printLines(context, [...lines, ...more]);
}
