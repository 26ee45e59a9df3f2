import type { ExtractMemoriesResponse } from '@contextloom/contracts';
import type { Command } from 'commander';
import type { CliContext } from '../context.ts';
import { callWithTranscript, type TranscriptOptions, toTranscriptArguments } from '../conversations/transcript.ts';
import { readGlobals, toDate } from '../options.ts';
import { describeExtractor } from '../output/extractor.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { describeReading } from '../output/reading-report.ts';
import { renderMemories } from '../output/tables/memory-table.ts';

const LINES_A_MEMORY = 4;

/** Adds `extract`: the memories that are in a transcript, without saving them. */
export function registerExtract(program: Command, context: CliContext): void {
  program
    .command('extract')
    .description('show the memories that are in a conversation, and save nothing')
    .argument('<file>', 'the conversation, in any format that import reads')
    .option('--transcript <id>', 'name of the conversation, for the sources of its memories')
    .option('--date <date>', 'when it took place (ISO 8601), for turns without a time', toDate)
    .addHelpText('after', '\nExample:\n  $ contextloom extract chat.txt --date 2025-03-14')
    .action(async (file: string, options: TranscriptOptions, command: Command) => {
      const globals = readGlobals(command);
      const args = await toTranscriptArguments(file, options, context);
      const request = { tool: 'extract_memories', args, title: 'reading' } as const;
      const answer = await callWithTranscript(request, context, globals);
      if (globals.json) printJson(context, answer);
      else printAnswer(context, answer);
    });
}

function printAnswer(context: CliContext, answer: ExtractMemoriesResponse): void {
  const { memories, extractor } = answer;
  printLines(context, [
    ...(memories.length === 0 ? [] : [renderMemories(memories, outputLook(context), LINES_A_MEMORY)]),
    ...describeReading({ ...answer, kept: memories.length }),
    `${memories.length} memories found, made by ${describeExtractor(extractor)}; nothing was saved`,
  ]);
}
