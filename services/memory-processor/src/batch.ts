#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import process from 'node:process';
import { isContextloomError } from '@contextloom/contracts';
import { commonSettings, createLog, ignoreBrokenPipe, readSettings, setting } from '@contextloom/mcp-kit';
import { type BatchOptions, parseBatchOptions } from './batch/options.ts';
import { createProgress } from './batch/progress.ts';
import { readText } from './batch/read-text.ts';
import { isSuccess, toConversationLine, toJsonReport, toSummary } from './batch/report.ts';
import { type BatchReport, runBatch } from './batch/run-batch.ts';
import { settings } from './config.ts';
import { createMemoryProcessor } from './create-memory-processor.ts';
import { openMemoryStore } from './open-memory-store.ts';
import { openReaders } from './open-readers.ts';
import { version } from './version.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const warn = (text: string): boolean => process.stderr.write(`${text}\n`);

/** A first Ctrl-C ends the run after the batch under way, a second one at once. */
function untilInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.once('SIGINT', () => {
    warn('\nstopping after what is under way …');
    controller.abort();
  });
  process.once('SIGTERM', () => controller.abort());
  return controller.signal;
}

/** A person who runs the command where a composition lies means that one. */
const COMPOSITION_HERE = 'mcp_config.json';

async function run({ request, config, json }: BatchOptions): Promise<BatchReport> {
  const logLevel = setting({ ...commonSettings.logLevel, default: 'error' as const });
  const { values, sources } = readSettings({ ...settings, logLevel }, process.env);
  const log = createLog({ name: 'memory-processor', level: values.logLevel });
  const isHere = sources.configFile === 'default' && existsSync(COMPOSITION_HERE);
  const configFile = config ?? (isHere ? COMPOSITION_HERE : values.configFile);
  // A server that cannot start says why on its standard error alone.
  const memories = await openMemoryStore({ config: { ...values, configFile }, env: process.env, log });
  const readers = await openReaders(values, log);
  const progress = createProgress(process.stderr, process.stderr.isTTY === true);
  try {
    return await runBatch(request, {
      processor: createMemoryProcessor({ memories, ...readers, threshold: values.threshold }),
      readText,
      signal: untilInterrupt(),
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
    });
  } finally {
    progress.end();
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
