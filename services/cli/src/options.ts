import { displayNameSchema, personaNameSchema, userIdSchema } from '@contextloom/contracts';
import { type Command, InvalidArgumentError } from 'commander';
import type { z } from 'zod';
import type { GlobalOptions } from './context.ts';

/** Makes a command line value's parser from a schema: what the schema refuses is a mistake of usage. */
function fromSchema<Output>(schema: z.ZodType<Output>): (text: string) => Output {
  return (text) => {
    const parsed = schema.safeParse(text);
    if (parsed.success) return parsed.data;
    throw new InvalidArgumentError(parsed.error.issues[0]?.message ?? 'not allowed');
  };
}

/** Parses a persona's name. */
export const toPersonaName = fromSchema(personaNameSchema);

/** Parses a user id. */
export const toUserId = fromSchema(userIdSchema);

/** Parses what a user is called. */
export const toDisplayName = fromSchema(displayNameSchema);

/** Makes the parser of a whole number from `min` to `max`. */
export function toInteger(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    if (value >= min && value <= max) return value;
    throw new InvalidArgumentError(`must be a whole number, ${min} to ${max}`);
  };
}

/** Parses a TCP port; 0 stands for any free one. */
export const toPort = toInteger(0, 65_535);

/** Parses a day or a time, ISO 8601: the reader checks what follows the day. */
export function toDate(text: string): string {
  if (/^\d{4}-\d{2}-\d{2}(?:[T ]|$)/.test(text) && !Number.isNaN(Date.parse(text))) return text;
  throw new InvalidArgumentError('must be a day or a time such as 2025-03-14 or 2025-03-14T19:40:00Z');
}

/** Parses when something ends: a day with its end, in the time zone of this machine, or a time; ISO 8601 UTC. */
export function toEnd(text: string): string {
  const [year = 0, month = 0, day = 0] = toDate(text).slice(0, 10).split('-').map(Number);
  return (text.length === 10 ? new Date(year, month - 1, day + 1) : new Date(text)).toISOString();
}

/** Makes the parser of an option that is repeated, such as `NAME=value`: the text before the separator names a value. */
export const toPairs =
  (separator: string, form: string) =>
  (text: string, before: Readonly<Record<string, string>> = {}): Readonly<Record<string, string>> => {
    const at = text.indexOf(separator);
    if (at < 1) throw new InvalidArgumentError(`must be of the form ${form}`);
    return { ...before, [text.slice(0, at).trim()]: text.slice(at + 1).trim() };
  };

/** Parses an http or https address. */
export function toUrl(text: string): string {
  if (URL.canParse(text) && /^https?:/i.test(text)) return text;
  throw new InvalidArgumentError('must be an http or https address');
}

/** The options that stand for every command, wherever on the command line they were given. */
export function readGlobals(command: Command): GlobalOptions {
  return command.optsWithGlobals<GlobalOptions>();
}

/** Refuses `--url` for a command that runs its own aggregator: the process ends as called wrongly. */
export function refuseUrl(command: Command): void {
  if (readGlobals(command).url === undefined) return;
  command.error(`error: "${command.name()}" runs its own aggregator and takes no --url`);
}

/** Refuses `--url` for a command that changes files of this machine: the process ends as called wrongly. */
export function refuseAddress(command: Command): void {
  if (readGlobals(command).url === undefined) return;
  command.error(`error: "${command.name()}" works on files of this machine and takes no --url`);
}
