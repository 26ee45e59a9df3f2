import { isUtf8 } from 'node:buffer';
import { readFile, stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ContextloomError, type InputOf, isContextloomError } from '@contextloom/contracts';
import type { AggregatorContract } from '@contextloom/contracts/aggregator';
import type { z } from 'zod';
import { withAggregator } from '../aggregator.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { createProgress } from '../output/progress.ts';

/** What the caller says about a transcript besides its text. */
export interface TranscriptOptions {
  readonly transcript?: string;
  readonly date?: string;
}

/** The largest transcript sent in one call, in bytes: the entry points of the product refuse bodies over 16 MiB. */
const MAX_TRANSCRIPT_BYTES = 8 * 1024 * 1024;
/** A model reads a long conversation piece by piece. */
const READING_TIMEOUT_MS = 30 * 60_000;

/**
 * Reads a transcript, and makes of it the arguments of a tool that takes one.
 * @throws ContextloomError when it cannot be read, is too large or is no text
 */
export async function toTranscriptArguments(
  file: string,
  { transcript, date }: TranscriptOptions,
  { cwd }: CliContext,
): Promise<InputOf<AggregatorContract, 'extract_memories'>> {
  return {
    conversation_history: await readTranscript(resolve(cwd, file), file),
    ...(transcript !== undefined && { transcript_id: transcript }),
    ...(date !== undefined && { conversation_date: date }),
  };
}

/** How a ZIP archive begins. */
const ZIP_MARK = 0x04034b50;

/** Whether one call can carry a path: one file of UTF-8 text that is not too large. What is not there is left to whoever reads it. */
export async function isOneCall(file: string, { cwd }: CliContext): Promise<boolean> {
  const path = resolve(cwd, file);
  try {
    const found = await stat(path);
    if (found.isDirectory() || found.size > MAX_TRANSCRIPT_BYTES) return false;
    const bytes = await readFile(path);
    return isUtf8(bytes) && !bytes.includes(0) && !(bytes.length >= 4 && bytes.readUInt32LE(0) === ZIP_MARK);
  } catch {
    return true;
  }
}

async function readTranscript(path: string, shown: string): Promise<string> {
  const bytes = await readBytes(path, shown);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ContextloomError('invalid', `${shown} is not UTF-8 text: contextloom import reads other encodings`, {
      cause,
    });
  }
}

async function readBytes(path: string, shown: string): Promise<Buffer> {
  try {
    const found = await stat(path);
    if (found.isDirectory()) throw folderGiven(shown);
    const { size } = found;
    if (size > MAX_TRANSCRIPT_BYTES) throw tooLarge(shown, size);
    return await readFile(path);
  } catch (cause) {
    if (isContextloomError(cause)) throw cause;
    throw new ContextloomError('not_found', `cannot read ${shown}`, { cause });
  }
}

function folderGiven(shown: string): ContextloomError {
  return new ContextloomError(
    'invalid',
    `${shown} is a folder: name one transcript file; contextloom import reads folders`,
  );
}

function tooLarge(shown: string, bytes: number): ContextloomError {
  const megabytes = (bytes / 1024 / 1024).toFixed(1);
  return new ContextloomError(
    'too_large',
    `${shown} has ${megabytes} MB, more than the 8 MB that one call may carry: contextloom import reads files of any size`,
  );
}

/** One call of a tool that reads a transcript. */
export interface TranscriptCall<Name extends keyof AggregatorContract> {
  readonly tool: Name;
  readonly args: InputOf<AggregatorContract, Name>;
  /** What the progress bar says is being done. */
  readonly title: string;
}

/** Has the aggregator read a transcript, and shows how far it is. */
export async function callWithTranscript<Name extends keyof AggregatorContract>(
  { tool, args, title }: TranscriptCall<Name>,
  context: CliContext,
  globals: GlobalOptions,
): Promise<z.output<AggregatorContract[Name]['output']>> {
  const progress = createProgress(context.stderr, title);
  try {
    return await withAggregator(context, globals, (aggregator) =>
      aggregator.call(tool, args, {
        timeoutMs: READING_TIMEOUT_MS,
        onProgress: ({ progress: done, total }) => progress.update(done, total ?? done),
      }),
    );
  } finally {
    progress.stop();
  }
}
