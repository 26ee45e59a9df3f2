import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ContextloomError, isTimeZone } from '@contextloom/contracts';
import type { CliContext } from '../context.ts';
import type { Machine } from '../machine.ts';
import { clients, type McpClient } from './clients.ts';
import { findEntry } from './find-entry.ts';

/** What the server offers a client. */
export const profiles = ['chat', 'app', 'all'] as const;
/** One of {@link profiles}. */
export type Profile = (typeof profiles)[number];

/** Whether a client has been started on this machine: its folder exists. */
function isFound({ toFile }: McpClient, machine: Machine): boolean {
  const file = toFile(machine);
  // Claude Code keeps its file in the home folder itself, which is there in any case.
  return file !== undefined && (existsSync(file) || (dirname(file) !== machine.home && existsSync(dirname(file))));
}

/** Asks a person; an empty line takes what stands in brackets. @throws ContextloomError `invalid` where nobody sits at a terminal */
export async function ask({ ask: put }: CliContext, question: string, option: string): Promise<string> {
  if (put === undefined) throw new ContextloomError('invalid', `there is no terminal to ask on: give ${option}`);
  return (await put(question)).trim();
}

/** Asks for a yes or a no. */
export async function askYes(context: CliContext, question: string, usual: boolean): Promise<boolean> {
  const answer = await ask(context, `${question} (${usual ? 'Y/n' : 'y/N'}) > `, question);
  return answer === '' ? usual : /^(?:y|yes|j|ja|是|好)$/iu.test(answer);
}

/** Asks which client it is, and proposes the first that is on this machine. */
export async function askClient(context: CliContext, machine: Machine): Promise<McpClient> {
  const found = clients.filter((client) => isFound(client, machine));
  const lines = clients.map((client, at) => `  ${at + 1}  ${client.title}${found.includes(client) ? '  (found)' : ''}`);
  const usual = found[0] === undefined ? '' : `(${found[0].title}) `;
  const answer = await ask(context, `Which client?\n${lines.join('\n')}\n${usual}> `, '--client');
  return (answer === '' ? found[0] : undefined) ?? findClient(answer);
}

/** The client of a name, a title or a place in the list. @throws ContextloomError `invalid`, naming those there are */
export function findClient(name: string): McpClient {
  const found = clients.find(({ id, title }, at) => [id, title, String(at + 1)].includes(name));
  if (found !== undefined) return found;
  const known = clients.map(({ id }) => id).join(', ');
  throw new ContextloomError('invalid', `there is no client "${name}"; there are: ${known}`, { field: '--client' });
}

/** Asks whose memory it is, and proposes the name that this machine knows them by. */
export async function askUser(context: CliContext): Promise<string> {
  const usual = context.env['USER'] || context.env['USERNAME'] || 'default';
  return (await ask(context, `Whose memory is it? (${usual}) > `, '--user')) || usual;
}

/** Where the days of this machine begin. */
export const machineZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Asks where the user's days begin, and proposes the zone of this machine. */
export async function askTimeZone(context: CliContext): Promise<string> {
  const usual = context.env['TIMEZONE'] || machineZone();
  return checkTimeZone((await ask(context, `In which time zone? (${usual}) > `, '--timezone')) || usual);
}

/** @throws ContextloomError `invalid` for what is no name of a time zone */
export function checkTimeZone(zone: string): string {
  if (isTimeZone(zone)) return zone;
  throw new ContextloomError('invalid', `--timezone must be the name of a time zone, such as Asia/Shanghai`, {
    field: '--timezone',
  });
}

/** Whether a client of this machine has the server already. */
export async function isSetUp(machine: Machine): Promise<boolean> {
  const entries = await Promise.all(clients.map((client) => findEntry(client, machine)));
  return entries.some((entry) => entry !== undefined);
}
