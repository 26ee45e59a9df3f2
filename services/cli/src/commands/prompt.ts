import { ContextloomError, type InputOf } from '@contextloom/contracts';
import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import type { Command } from 'commander';
import { type Aggregator, withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toDisplayName, toInteger, toPersonaName, toUserId } from '../options.ts';
import { renderExplanation } from '../output/explanation.ts';
import { outputWidth, printJson } from '../output/print.ts';
import { toPlainLine, toPlainText } from '../output/text/plain.ts';

interface PromptOptions {
  readonly user: string;
  readonly topK?: number;
  readonly maxTokens?: number;
  readonly explain: boolean;
  readonly userName?: string;
}

/** Builds a prompt, and has it explained by the same process, which alone remembers it. */
async function build(
  aggregator: Aggregator,
  args: InputOf<AggregatorContract, 'build_prompt_with_context'>,
  explain: boolean,
) {
  const answer = await aggregator.call('build_prompt_with_context', args);
  if (!explain) return { answer };
  if (answer.manifest === undefined) {
    throw new ContextloomError('unavailable', 'the aggregator is of an earlier version, which cannot explain prompts');
  }
  const toExplain = { hash: answer.manifest.hash, user_id: args.user_id };
  return { answer, explanation: await aggregator.call('explain_prompt', toExplain) };
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
    .option('--top-k <n>', 'how many memories, 1 to 100', toInteger(1, 100))
    .option('--max-tokens <n>', 'most tokens of all that precedes the persona', toInteger(1, 1_000_000))
    .option('--explain', 'say where each line comes from and what was left out, instead of the prompt', false)
    .addHelpText('after', '\nExample:\n  $ contextloom prompt uozumi "今晚吃什么好？" --user zhixia --top-k 5')
    .action(async (persona: string, question: string, options: PromptOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = {
        persona_name: persona,
        user_id: options.user,
        user_query: question,
        ...(options.topK !== undefined && { memory_top_k: options.topK }),
        ...(options.maxTokens !== undefined && { max_tokens: options.maxTokens }),
        ...(options.userName !== undefined && { user_name: options.userName }),
      };
      const { answer, explanation } = await withAggregator(context, globals, (aggregator) =>
        build(aggregator, args, options.explain),
      );
      for (const { server, status, reason } of answer.sources) {
        if (status === 'failed')
          context.stderr.write(`contextloom: without ${server}: ${toPlainLine(reason ?? status)}\n`);
      }
      if (globals.json) return printJson(context, explanation ?? answer);
      if (explanation !== undefined) {
        context.stdout.write(renderExplanation(explanation, outputWidth(context.stdout)));
        return;
      }
      // A pipe gets the prompt as it is; on a terminal its control characters could do mischief.
      context.stdout.write(`${context.stdout.isTTY === true ? toPlainText(answer.prompt) : answer.prompt}\n`);
    });
}
