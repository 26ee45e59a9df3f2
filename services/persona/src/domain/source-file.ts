import { ContextloomError, parseInput } from '@contextloom/contracts';
import type { z } from 'zod';

/** A text file of a persona. `path` is relative to the personas folder, for error messages. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads a file as JSON.
 * @throws ContextloomError `invalid`, naming the file and the problem
 */
export function parseJson(file: SourceFile): unknown {
  try {
    return JSON.parse(file.text);
  } catch (cause) {
    // The parser's message quotes only the file, and only the person who starts the server sees it.
    const problem = cause instanceof Error ? cause.message.replace(/\s+/g, ' ') : 'unknown error';
    throw new ContextloomError('invalid', `${file.path} cannot be read as JSON: ${problem}`, {
      field: file.path,
      cause,
    });
  }
}

/**
 * Reads a file as JSON of a schema.
 * @throws ContextloomError `invalid`, naming the file and the field
 */
export function parseJsonAs<S extends z.ZodType>(schema: S, file: SourceFile): z.output<S> {
  return parseInput(schema, parseJson(file), [file.path]);
}
