import { parseArgs } from 'node:util';
import { type HookClient, type HookEvent, hookEvents, isHookClient } from './clients.ts';

/** A hook as a client's configuration writes it. */
export interface HookLine {
  readonly event: HookEvent;
  readonly client: HookClient;
  readonly config?: string | undefined;
}

const isOneOf = <T extends string>(values: readonly T[], value: string | undefined): value is T =>
  values.some((one) => one === value);

/**
 * Reads `hook <event> --client <client> [--config <file>]`, as it is written into the configuration of clients: a client waits for it,
 * and parsing it here loads none of the other commands. Undefined for any other command line, which the program reads.
 */
export function readHookLine([command, event, ...rest]: readonly string[]): HookLine | undefined {
  if (command !== 'hook' || !isOneOf(hookEvents, event)) return undefined;
  try {
    const options = { client: { type: 'string' }, config: { type: 'string' } } as const;
    const { client = 'claude-code', config } = parseArgs({ args: [...rest], options }).values;
    return isHookClient(client) ? { event, client, config } : undefined;
  } catch {
    return undefined; // The program says what is wrong with it.
  }
}
