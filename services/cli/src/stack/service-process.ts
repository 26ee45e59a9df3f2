import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { ContextloomError } from '@contextloom/contracts';
import type { CliContext } from '../context.ts';
import { type LogLine, parseLogLine, tellsCause } from './log-line.ts';

/** A service to start: an entry file with its arguments, and variables besides the command's own. */
export interface ServiceDefinition {
  readonly name: string;
  readonly script: string;
  readonly args?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Its base address; `/health` there answers once it is up. */
  readonly url: string;
}

/** A service that was started. */
export interface ServiceProcess {
  readonly name: string;
  readonly url: string;
  readonly pid: number | undefined;
  /** Resolves to a sentence that says how it ended. */
  readonly ended: Promise<string>;
  /** Asks it to end, and after the grace period makes it end; resolves when it has. */
  readonly stop: () => Promise<void>;
}

/** How services are started and stopped. */
export interface ServiceOptions {
  readonly context: CliContext;
  /** Shows every line of the log, not only warnings. */
  readonly verbose: boolean;
  /** How long a service may take to end by itself, in milliseconds. */
  readonly graceMs?: number;
}

function describeEnd(name: string, code: number | null, signal: string | null, lastLine: string | undefined): string {
  const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
  return `${name} ended ${how}${lastLine === undefined ? '' : `: ${lastLine}`}`;
}

/** A service that refuses to start says its name itself. */
function withoutName(line: string, name: string): string {
  const given = [`${name}: `, `${name} service: `].find((start) => line.startsWith(start)) ?? '';
  return line.slice(given.length);
}

/** Longer than an endpoint waits for the calls under way. */
const GRACE_MS = 10_000;

/** Starts a service as a child process whose warnings are shown on standard error. */
export function startService(definition: ServiceDefinition, options: ServiceOptions): ServiceProcess {
  const { name, script, args = [], env = {}, url } = definition;
  const { context, verbose, graceMs = GRACE_MS } = options;
  const child = spawn(context.execPath, [script, ...args], {
    env: { ...context.env, ...env },
    // The channel closes when this process ends, however it ends: the service then ends too.
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
    windowsHide: true,
  });
  let lastLine: string | undefined;
  onLogLine(child, (line) => {
    const text = withoutName(line.text, name);
    if (tellsCause(line)) lastLine = text;
    if (verbose || line.matters) context.stderr.write(`${name}: ${text}\n`);
  });
  const ended = new Promise<string>((resolve) => {
    child.once('error', (cause) => resolve(`${name} could not be started (${cause.message})`));
    child.once('close', (code, signal) => resolve(describeEnd(name, code, signal, lastLine)));
  });
  return { name, url, pid: child.pid, ended, stop: () => stopChild(child, ended, graceMs) };
}

function onLogLine({ stderr }: ChildProcess, listener: (line: LogLine) => void): void {
  if (stderr === null) return;
  createInterface({ input: stderr }).on('line', (line) => listener(parseLogLine(line)));
}

async function stopChild(child: ChildProcess, ended: Promise<string>, graceMs: number): Promise<void> {
  child.kill('SIGTERM');
  const killer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  await ended;
  clearTimeout(killer);
}

/** Longer than any machine needs: a service that cannot start ends by itself, and is not waited for. */
const START_TIMEOUT_MS = 120_000;
const INTERVAL_MS = 50;

/**
 * Waits until a service answers `GET /health`. One whose store cannot be used is up as well: it says so in its log, and goes
 * on by itself once the store can be used.
 * @throws ContextloomError `unavailable` when it ends first or is not ready in time, or when the wait is interrupted
 */
export async function waitUntilHealthy(service: ServiceProcess, signal: AbortSignal): Promise<void> {
  const stop = AbortSignal.any([signal, AbortSignal.timeout(START_TIMEOUT_MS)]);
  let end: string | undefined;
  void service.ended.then((how) => {
    end = how;
  });
  while (!(await answersHealth(service.url, stop))) {
    if (signal.aborted) throw new ContextloomError('unavailable', 'interrupted');
    if (end !== undefined) throw new ContextloomError('unavailable', end);
    if (stop.aborted) {
      throw new ContextloomError('unavailable', `${service.name} was not ready within ${START_TIMEOUT_MS / 1_000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, INTERVAL_MS));
  }
}

async function answersHealth(url: string, signal: AbortSignal): Promise<boolean> {
  try {
    const response = await fetch(`${url}/health`, { signal });
    await response.body?.cancel();
    return response.ok || response.status === 503;
  } catch {
    return false; // Not listening yet: the caller tries again until its deadline.
  }
}
