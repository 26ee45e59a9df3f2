import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { ContextloomError, parseInput } from '@contextloom/contracts';
import { z } from 'zod';
import { type Environment, isPresent, type OtherSources } from './settings.ts';

/** Where a service's configuration file is named, and what it may hold. */
export interface ConfigFileOptions {
  readonly flag: string;
  /** A variable that names it where the flag does not. */
  readonly variable: string;
  /** What is refused besides wrong values: keys that mean nothing, say. Values are settings' business. */
  readonly schema?: z.ZodType;
}

/**
 * Builds the reader of the JSON file that settings may stand in; it answers undefined where none is named, and rejects as `invalid`
 * one that cannot be read, naming the file, or the key in it.
 */
export function createConfigFileReader({ flag, variable, schema = z.unknown() }: ConfigFileOptions) {
  const read = (file: string): unknown => {
    try {
      return JSON.parse(readFileSync(resolve(file), 'utf8'));
    } catch (cause) {
      const message = `--${flag} ${file} must be a JSON file that can be read`;
      throw new ContextloomError('invalid', message, { field: flag, cause });
    }
  };
  return (flags: NonNullable<OtherSources['flags']>, env: Environment): unknown => {
    const file = flags[flag] === undefined ? env[variable] : String(flags[flag]);
    return isPresent(file) ? parseInput(schema, read(file.trim()), [file.trim()]) : undefined;
  };
}
