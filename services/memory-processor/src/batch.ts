#!/usr/bin/env node
import { resolve } from 'node:path';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { isContextloomError } from '@contextloom/contracts';
import { ignoreBrokenPipe } from '@contextloom/runtime';
import { openSource } from '@contextloom/transcripts';
import { type BatchOptions, parseBatchOptions } from './batch/options.ts';
import { createProgress } from './batch/progress.ts';
import type { BatchReport } from './batch/report.ts';
import { isSuccess, isWhole, toConversationLine, toJsonReport, toSummary } from './batch/report.ts';
import { runBatch } from './batch/run-batch.ts';
import { createBudget } from './command/budget.ts';
import { untilInterrupt } from './command/interrupt.ts';
import { openService } from './command/open-service.ts';
import { beginRereading, toResumedLine } from './command/rereading.ts';
import { toSpentLine } from './command/usage-line.ts';
import type { Usage } from './domain/extractor.ts';
import { version } from './version.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const warn = (text: string): boolean => process.stderr.write(`${text}\n`);

async function run({ request, budget: bounds, config, json }: BatchOptions): Promise<BatchReport> {
  let onUsage = (_spent: Usage): void => undefined;
  const { values, memories, processor, connect } = await openService(config, process.env, (spent) => onUsage(spent));
  const budget = createBudget(bounds, (usage) => processor.price(usage), untilInterrupt(process, warn));
  onUsage = budget.onUsage;
  await connect();
  const { files: paths, reread = false, ...given } = request;
  const clock = (): Date => new Date();
  const rereading = beginRereading({ paths, reread, ...given }, { dataDir: values.dataDir, processor, clock });
  if (rereading.isResumed) warn(toResumedLine(rereading));
  const progress = createProgress(process.stderr, process.stderr.isTTY === true);
  try {
    const report = await runBatch(
      { ...request, rereadSince: rereading.since },
      {
        processor,
        open: (file) => openSource(resolve(file), file, process.stdin),
        signal: budget.signal,
        now: () => performance.now(),
        onProgress: progress.update,
        onConversation: (report) => {
          progress.end();
          if (!json) print(toConversationLine(report));
        },
        onFailure: (file, error) => {
          progress.end();
          warn(`${file}: ${error}`);
        },
      },
    );
    if (isWhole(report)) rereading.end();
    return report;
  } catch (error) {
    // What a run has asked for is paid for, whatever ends it.
    const spent = toSpentLine(processor);
    if (spent !== undefined) warn(spent);
    throw error;
  } finally {
    progress.end();
    if (budget.reached() !== undefined) warn(`ended by ${budget.reached()}`);
    await memories.close();
  }
}

ignoreBrokenPipe(process);
try {
  const outputs = {
    writeOut: (text: string) => process.stdout.write(text),
    writeErr: (text: string) => process.stderr.write(text),
  };
  const options = parseBatchOptions(process.argv, version, outputs);
  if (typeof options === 'number') process.exitCode = options;
  else {
    const report = await run(options);
    print(options.json ? toJsonReport(report) : toSummary(report));
    process.exitCode = isSuccess(report) ? 0 : 1;
  }
} catch (error) {
  if (!isContextloomError(error)) throw error;
  const isUsage = error.code === 'invalid' || error.field === 'MCP_CONFIG';
  warn(`memory-processor: ${error.message}${isUsage ? '' : '. Run the same command again to go on'}`);
  process.exitCode = error.code === 'invalid' ? 2 : 1;
}
