import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import type { ServerEntry } from './config.ts';

/** Programs whose first argument, when it is no flag, is a file on this machine. */
const INTERPRETER = /^(?:node|bun|python3?)(?:\.exe)?$/i;
const OWN_SCRIPT = /(?:^|[\\/])services[\\/]([^\\/]+)[\\/]dist[\\/]server\.js$/;

/** The script that an entry starts, as it is written there, when there is no such file. */
export function findMissingScript(entry: ServerEntry): string | undefined {
  if ('url' in entry || !INTERPRETER.test(basename(entry.command))) return undefined;
  const [script] = entry.args;
  if (script === undefined || script.startsWith('-')) return undefined;
  return existsSync(resolve(entry.cwd, script)) ? undefined : script;
}

/** The service of this product that an entry starts: the name of its folder. */
export function findServiceName(entry: ServerEntry): string | undefined {
  if ('url' in entry) return undefined;
  return entry.args.map((arg) => OWN_SCRIPT.exec(resolve(entry.cwd, arg))?.[1]).find((name) => name !== undefined);
}

/** Thrown where an entry names a script that is not there. */
export class MissingScriptError extends Error {
  readonly script: string;
  constructor(script: string) {
    super(`there is no ${script}`);
    this.script = script;
  }
}
