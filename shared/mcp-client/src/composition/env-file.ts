import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseEnv } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import type { Environment } from '@contextloom/runtime';
import { installedComposition, ownComposition } from './installed-composition.ts';

/** Variables from the `.env` file next to a composition. */
export interface EnvFile {
  readonly file: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
}

/**
 * Reads the `.env` file next to a composition; undefined if there is none. Next to the composition of an installed package, what
 * a user wrote would be gone with the next version: the file is looked for where a composition of the user's own would lie.
 * @throws ContextloomError `invalid` when there is one that cannot be read
 */
export function readEnvFile(composition: string): EnvFile | undefined {
  const file = join(dirname(composition === installedComposition ? ownComposition : composition), '.env');
  try {
    // Editors of Windows begin a file with a byte order mark, which would become a part of the first name.
    return { file, variables: parseEnv(readFileSync(file, 'utf8').replace(/^\uFEFF/, '')) };
  } catch (cause) {
    if (Object(cause).code === 'ENOENT') return undefined;
    throw new ContextloomError('invalid', `${file} cannot be read`, { cause });
  }
}

/** The environment with what the file adds; a variable that is set, even to nothing, wins over the file. */
export function withEnvFile(env: Environment, envFile: EnvFile | undefined): Environment {
  const set = Object.entries(env).filter(([, value]) => value !== undefined);
  return { ...envFile?.variables, ...Object.fromEntries(set) };
}
