import { buildPromptResponseSchema } from '@contextloom/contracts';
import type { Command } from 'commander';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toDisplayName, toInteger, toPersonaName, toUserId } from '../options.ts';
import { toPlainLine, toPlainText } from '../output/plain.ts';
import { printJson } from '../output/print.ts';

interface PromptOptions {
  readonly user: string;
  readonly topK: number;
  readonly userName?: string;
}

/** Adds `prompt`: the system prompt of a persona with what it remembers about a user. */
export function registerPrompt(program: Command, context: CliContext): void {
  program
    .command('prompt')
    .description('print the system prompt of a persona, with what is remembered about the user')
    .argument('<persona>', 'the persona, such as marlow or uozumi', toPersonaName)
    .argument('<question>', 'what the user says now; memories are searched with it')
    .requiredOption('--user <id>', 'whose memories to use', toUserId)
    .option('--user-name <name>', 'what the persona calls the user', toDisplayName)
    .option('--top-k <n>', 'how many memories, 1 to 100', toInteger(1, 100), 3)
    .addHelpText('after', '\nExample:\n  $ contextloom prompt uozumi "今晚吃什么好？" --user zhixia --top-k 5')
    .action(async (persona: string, question: string, options: PromptOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = {
        persona_name: persona,
        user_id: options.user,
        user_query: question,
        memory_top_k: options.topK,
        ...(options.userName !== undefined && { user_name: options.userName }),
      };
      const answer = await withAggregator(context, globals, (aggregator) =>
        aggregator.call('build_prompt_with_context', args, buildPromptResponseSchema),
      );
      for (const { server, status, reason } of answer.sources) {
        if (status === 'failed')
          context.stderr.write(`contextloom: without ${server}: ${toPlainLine(reason ?? status)}\n`);
      }
      if (globals.json) return printJson(context, answer);
      // A pipe gets the prompt as it is; on a terminal its control characters could do mischief.
      context.stdout.write(`${context.stdout.isTTY === true ? toPlainText(answer.prompt) : answer.prompt}\n`);
    });
}
