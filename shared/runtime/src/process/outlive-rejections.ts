import type { ProcessLike } from './command-line.ts';
import type { Log } from './log.ts';

/**
 * Logs a promise that failed with nobody to hear of it, and lets the process go on: Node would end it, and with it the calls of
 * everybody else. What waits for such a promise ends by its own deadline.
 */
export function outliveRejections(process: Pick<ProcessLike, 'on'>, log: Log): void {
  process.on('unhandledRejection', (cause) => log.error({ cause }, 'a failure that nobody waited for'));
}
