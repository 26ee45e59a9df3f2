import { unwatchFile, watchFile } from 'node:fs';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { isContextloomError } from '@contextloom/contracts';
import type { Log } from '@contextloom/runtime';
import type { AggregatorConfig } from './config.ts';
import type { ConfigurationStatus } from './sources/asking/deps.ts';

/** The configuration that is in force. */
export interface LiveConfig {
  readonly now: () => AggregatorConfig;
  /** Whether it is that of the file, and if not, why the file is refused. */
  readonly toStatus: () => ConfigurationStatus;
  /** Reads the file again whenever it changes. */
  readonly watch: (watching: Watching) => void;
  /** Ends a reading that is under way. */
  readonly close: () => Promise<void>;
}

/** What is done with a configuration that has changed. */
export interface Watching {
  /** Tries it out before it is in force, until `signal` is aborted. @throws ContextloomError where it cannot be used */
  readonly check: (next: AggregatorConfig, signal: AbortSignal) => Promise<void>;
  readonly onChange: () => void;
}

/** What following a configuration needs. */
export interface LiveConfigOptions {
  /** Its path, absolute; the `.env` file next to it counts too. */
  readonly file: string;
  /** Reads it. @throws ContextloomError where it cannot be used */
  readonly load: () => Promise<AggregatorConfig>;
  /** How often the files are looked at, in milliseconds: half a second unless it is said. */
  readonly intervalMs?: number;
  readonly log: Log;
}

/**
 * Reads a configuration and follows its file. A file that cannot be used changes nothing: the configuration before it stays in
 * force. The files are looked at in intervals, which works for links, for files that are replaced, and on network drives.
 * @throws ContextloomError where the first reading fails
 */
export async function openLiveConfig(options: LiveConfigOptions): Promise<LiveConfig> {
  const { file, load, log, intervalMs = 500 } = options;
  const files = [file, join(dirname(file), '.env')];
  let now = await load();
  let refusal: string | undefined;
  let reading = Promise.resolve();
  let stop = (): void => undefined;
  const closing = new AbortController();

  async function readAgain({ check, onChange }: Watching): Promise<void> {
    try {
      const next = await load();
      if (!isDeepStrictEqual(next, now)) await check(next, closing.signal);
      if (closing.signal.aborted) return;
      refusal = undefined;
      if (isDeepStrictEqual(next, now)) return;
      const changed = findChanged(now, next);
      now = next;
      onChange();
      log.info({ file, changed: [...changed] }, 'the configuration was changed and is in force');
    } catch (cause) {
      if (closing.signal.aborted) return;
      refusal = isContextloomError(cause) ? cause.message : 'it cannot be used; the log says why';
      log.error({ file, cause }, `the changed configuration is refused, the one before stays in force: ${refusal}`);
    }
  }

  return {
    now: () => now,
    toStatus: () => (refusal === undefined ? { status: 'current' } : { status: 'refused', reason: refusal }),
    watch: (watching) => {
      const look = (): void => {
        reading = reading.then(() => readAgain(watching));
      };
      for (const one of files) watchFile(one, { interval: intervalMs, persistent: false }, look);
      stop = () => {
        for (const one of files) unwatchFile(one, look);
      };
    },
    close: async () => {
      closing.abort();
      stop();
      await reading;
    },
  };
}

/** The servers that came, went, have another entry, or are trusted otherwise than before. */
function findChanged(before: AggregatorConfig, next: AggregatorConfig): ReadonlySet<string> {
  const names = [...Object.keys(before.servers), ...Object.keys(next.servers)];
  const isSame = (name: string): boolean =>
    isDeepStrictEqual(before.servers[name], next.servers[name]) &&
    before.ownServers.has(name) === next.ownServers.has(name);
  return new Set(names.filter((name) => !isSame(name)));
}
