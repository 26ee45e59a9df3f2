import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import {
  ContextloomError,
  isContextloomError,
  type JsonObject,
  storeConversationResponseSchema,
} from '@contextloom/contracts';
import type { Command } from 'commander';
import type { z } from 'zod';
import { withAggregator } from '../aggregator.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, toUserId } from '../options.ts';
import { describeExtractor } from '../output/extractor.ts';
import { renderMemories } from '../output/memory-table.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';

interface RememberOptions {
  readonly user: string;
  readonly transcript?: string;
  readonly force: boolean;
}

type StoreAnswer = z.output<typeof storeConversationResponseSchema>;

/** The largest transcript sent in one call, in bytes: the doors of the product refuse bodies over 16 MiB. */
const MAX_TRANSCRIPT_BYTES = 8 * 1024 * 1024;
const STORE_TIMEOUT_MS = 30 * 60_000;
const SHOWN_MEMORIES = 5;
const LINES_A_MEMORY = 2;

/** Adds `remember`: a transcript becomes memories of a user. */
export function registerRemember(program: Command, context: CliContext): void {
  program
    .command('remember')
    .description('turn a conversation into memories of a user')
    .argument('<file>', 'the transcript: "Name: words" lines, JSON or JSONL')
    .requiredOption('--user <id>', 'whose memories they become', toUserId)
    .option('--transcript <id>', 'name of the conversation; a longer version under the same name replaces it')
    .option('--force', 'keep facts of low importance too', false)
    .addHelpText('after', '\nExample:\n  $ contextloom remember chat.txt --user ann --transcript chat-with-marlow')
    .action(async (file: string, options: RememberOptions, command: Command) => {
      const globals = readGlobals(command);
      const args: JsonObject = {
        user_id: options.user,
        conversation_history: await readTranscript(resolve(context.cwd, file), file),
        force_save: options.force,
        ...(options.transcript !== undefined && { transcript_id: options.transcript }),
      };
      const progress = createProgress(context.stderr, 'remembering');
      try {
        const answer = await withAggregator(context, globals, (aggregator) =>
          aggregator.call('store_conversation_memory', args, storeConversationResponseSchema, {
            timeoutMs: STORE_TIMEOUT_MS,
            onProgress: ({ progress: done, total }) => progress.update(done, total ?? done),
          }),
        );
        progress.stop();
        if (globals.json) printJson(context, answer);
        else printAnswer(context, answer);
      } finally {
        progress.stop();
      }
    });
}

async function readTranscript(path: string, shown: string): Promise<string> {
  const bytes = await readBytes(path, shown);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ContextloomError('invalid', `${shown} is not UTF-8 text`, { cause });
  }
}

async function readBytes(path: string, shown: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > MAX_TRANSCRIPT_BYTES) throw tooLarge(shown, size);
    return await readFile(path);
  } catch (cause) {
    if (isContextloomError(cause)) throw cause;
    throw new ContextloomError('not_found', `cannot read ${shown}`, { cause });
  }
}

function tooLarge(shown: string, bytes: number): ContextloomError {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return new ContextloomError(
    'too_large',
    `${shown} has ${megabytes} MB, more than the 8 MB that one call may carry: use node services/memory-processor/dist/batch.js`,
  );
}

function printAnswer(context: CliContext, answer: StoreAnswer): void {
  const saved = [...answer.saved_memories].sort((a, b) => b.importance - a.importance);
  const rest = saved.length > SHOWN_MEMORIES ? `; the ${SHOWN_MEMORIES} most important are shown` : '';
  const made = describeExtractor(answer.extractor);
  printLines(context, [
    ...(saved.length === 0
      ? []
      : [renderMemories(saved.slice(0, SHOWN_MEMORIES), outputLook(context), LINES_A_MEMORY)]),
    `${answer.memories_saved} of ${answer.memories_extracted} memories saved, made by ${made}${rest}`,
  ]);
}
