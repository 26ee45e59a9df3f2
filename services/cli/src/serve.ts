import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';

/** A server that a command line asks for, and the flags that it gets. */
export interface Served {
  readonly service: string;
  readonly args: readonly string[];
}

/** Servers that are commands of their own. */
const COMMANDS = ['proxy'];

/** The aggregator with all servers in one process. */
const SINGLE_PROCESS = 'single-process';

/**
 * Reads `serve [service] [flags]` and `proxy [flags]`, which ends in the flags of the server and not of this command; undefined for any other
 * command. A client that starts the command without arguments speaks MCP; a person at a terminal gets the help.
 */
export function readServed([first, ...rest]: readonly string[], isTerminal: boolean): Served | undefined {
  if (first === undefined) return isTerminal ? undefined : { service: SINGLE_PROCESS, args: [] };
  if (first === '--single-process') return { service: SINGLE_PROCESS, args: rest };
  if (COMMANDS.includes(first)) return { service: first, args: rest };
  if (first !== 'serve') return undefined;
  const [service, ...flags] = rest;
  return service === undefined || service.startsWith('-')
    ? { service: SINGLE_PROCESS, args: rest }
    : { service, args: flags };
}

const toProgram = (service: string): string => join(installationRoot, 'services', service, 'dist', 'server.js');

/** The program of a service. @throws ContextloomError `not_found`, with the services there are */
export function findServer(service: string): string {
  const services = readdirSync(join(installationRoot, 'services')).filter((name) => existsSync(toProgram(name)));
  if (services.includes(service)) return toProgram(service);
  throw new ContextloomError('not_found', `there is no service "${service}"; there are: ${services.join(', ')}`);
}
