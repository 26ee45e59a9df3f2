import { execFile } from 'node:child_process';
import { existsSync, realpathSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { installationRoot, type ServerEntry, toServerEnvironment } from '@contextloom/mcp-client';
import { findCause } from '../stack/log-line.ts';
import { type ServerReport, serverCheckSchema } from './report.ts';

const services = join(installationRoot, 'services');

/** Matches `<service>/dist/server.js`, a path relative to the folder of services. */
function isServerFile(path: string): boolean {
  const [service = '', ...rest] = relative(services, path).split(sep);
  return service !== '..' && rest.join('/') === 'dist/server.js';
}

/** The entry file of the service of this installation that an entry starts, built or not; undefined for anything else. */
function findOwnScript(entry: ServerEntry): string | undefined {
  if ('url' in entry) return undefined;
  const paths = entry.args.map((arg) => resolve(entry.cwd, arg));
  // A composition may lie, or lead, elsewhere through a symbolic link.
  return paths.find((path) => isServerFile(path) || (existsSync(path) && isServerFile(realpathSync(path))));
}

const run = promisify(execFile);

/** How a server is queried. */
export interface CheckServerOptions {
  readonly signal: AbortSignal;
  /** How long it may take, in milliseconds; its own checks have 10 s each, at the same time. */
  readonly timeoutMs?: number;
}

const TIMEOUT_MS = 20_000;
const MAX_ANSWER_BYTES = 1024 * 1024;

/** What a server printed as JSON before it ended, that it is none of ours, or why there is no answer. */
export type ServerAnswer =
  | { readonly kind: 'foreign' }
  | { readonly kind: 'failed'; readonly detail: string }
  | { readonly kind: 'answered'; readonly answer: unknown };

/** Runs one server of a composition, as the aggregator would start it, with flags that have it print what it finds and end. */
export async function askServer(
  entry: ServerEntry,
  flags: readonly string[],
  { timeoutMs = TIMEOUT_MS, signal }: CheckServerOptions,
): Promise<ServerAnswer> {
  const script = findOwnScript(entry);
  if (script === undefined || 'url' in entry) return { kind: 'foreign' };
  if (!existsSync(script)) {
    const detail = `there is no ${script}: if its name is right, run "npm ci" in ${installationRoot}`;
    return { kind: 'failed', detail };
  }
  const { command, args, cwd } = entry;
  try {
    const env = toServerEnvironment(entry);
    const limits = { timeout: timeoutMs, killSignal: 'SIGKILL', maxBuffer: MAX_ANSWER_BYTES } as const;
    const { stdout } = await run(command, [...args, ...flags], { cwd, env, signal, windowsHide: true, ...limits });
    return { kind: 'answered', answer: parseJson(stdout) };
  } catch (cause) {
    const failure: RunFailure = Object(cause);
    // Where a check failed, it ends with code 1 after its answer.
    if (failure.code === 1 && failure.stdout !== '')
      return { kind: 'answered', answer: parseJson(String(failure.stdout)) };
    return { kind: 'failed', detail: describeFailure(failure, { command, flag: String(flags[0]), timeoutMs }) };
  }
}

/** Runs one server of a composition with `--check`; whatever it does is a finding. */
export async function checkServer(entry: ServerEntry, options: CheckServerOptions): Promise<ServerReport> {
  const reply = await askServer(entry, ['--check'], options);
  if (reply.kind === 'foreign') return { kind: 'foreign', detail: 'not one of ours: see status' };
  if (reply.kind === 'failed') return toFailed(reply.detail);
  const answer = serverCheckSchema.safeParse(reply.answer);
  return answer.success ? { kind: 'own', ...answer.data } : toFailed('answered --check with something else');
}

/** A server that did not answer has this one check; its settings are unknown. */
function toFailed(detail: string): ServerReport {
  return { kind: 'own', settings: {}, checks: [{ name: 'start', status: 'failed', detail }] };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // Not JSON: the schema refuses undefined.
  }
}

/** What `execFile` rejects with: a system error where there was no process, else how the process ended. */
interface RunFailure {
  readonly code?: unknown;
  readonly killed?: unknown;
  readonly stdout?: unknown;
  readonly stderr?: unknown;
}

interface ServerReply {
  readonly command: string;
  readonly flag: string;
  readonly timeoutMs: number;
}

function describeFailure({ code, killed, stderr }: RunFailure, { command, flag, timeoutMs }: ServerReply) {
  if (code === 'ENOENT')
    return `"${command}" cannot be started: there is no such program, or no such folder as its cwd`;
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `answered ${flag} with something else`;
  if (killed === true) return `did not answer ${flag} within ${timeoutMs / 1_000} s`;
  return findCause(String(stderr ?? '')) ?? `ended without an answer to ${flag} (${String(code)})`;
}
