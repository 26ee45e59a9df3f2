import { spawn } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { isContextloomError } from '@contextloom/contracts';
import type { Check } from '@contextloom/server-kit';
import type { CliContext } from '../context.ts';
import { EACH_QUESTION, type HookClient, type HookEvent, hookClientIds, type Shell, specOf } from '../hooks/clients.ts';
import { type HookFolder, LOG, openHookFolder } from '../hooks/hook-folder.ts';
import { ownCommandsOf } from '../init/hook-entries.ts';
import { readIfThere } from '../init/write-client.ts';
import type { Machine } from '../machine.ts';
import { toPlainLine } from '../output/text/plain.ts';

/** How long a hook may take here, in milliseconds; longer than clients let it run, since the doctor keeps the machine busy. */
const TIMEOUT_MS = 60_000;
/** What the probe of a brief says. */
const WORDS = 'contextloom doctor tries the hooks.';
const SAID = '{"said":"contextloom doctor"}\n';

/** Programs that run a command line, as clients start them. */
const shells: Readonly<Record<Shell, readonly [file: string, ...args: string[]]>> = {
  posix: ['/bin/sh', '-c'],
  windows: ['cmd.exe', '/d', '/s', '/c'],
  powershell: ['powershell.exe', '-NoProfile', '-NonInteractive', '-Command'],
};

/** A place of its own that hooks are tried in: nothing of it is learnt. */
interface Probe {
  readonly root: string;
  readonly cwd: string;
  readonly machine: Machine;
  readonly folder: HookFolder;
  readonly env: CliContext['env'];
}

async function createProbe({ env, clock }: CliContext, machine: Machine): Promise<Probe> {
  const root = await mkdtemp(join(tmpdir(), 'contextloom-doctor-'));
  const [cwd, hooks] = [join(root, 'contextloom-doctor'), join(root, 'hooks')];
  await mkdir(join(cwd, '.git'), { recursive: true });
  const folder = await openHookFolder(hooks, clock);
  const line = { kind: 'state' as const, text: WORDS, source: 'doctor', tokens: 20 };
  await folder.setContext('contextloom-doctor', {
    brief: { lines: [line], counts: { rule: 0, decision: 0, open: 0, state: 1 } },
    branches: {},
  });
  const own = {
    CONTEXTLOOM_HOOKS_DIR: hooks,
    CONTEXTLOOM_HOOKS_WORKER: 'false',
    COPILOT_HOME: root,
    XDG_DATA_HOME: root,
  };
  return { root, cwd, folder, machine: { ...machine, env: { ...machine.env, ...own } }, env: { ...env, ...own } };
}

/** What a client tells at an event, in its own words. */
async function toInput(client: HookClient, { root, cwd, machine }: Probe): Promise<string> {
  const { keys, toTranscript } = specOf(client);
  const session = 'contextloom-doctor';
  const transcript = toTranscript?.(session, machine) ?? join(root, 'session.jsonl');
  await mkdir(dirname(transcript), { recursive: true });
  await writeFile(transcript, SAID);
  const toValue = (key: string, value: string): unknown => (key.endsWith('s') ? [value] : value);
  const fields = [
    [keys.session, session],
    [keys.cwd, cwd],
    [keys.transcript, transcript],
    [keys.prompt ?? [], 'What does contextloom doctor try?'],
  ] as const;
  const named = fields.filter(([names]) => names.length > 0);
  return JSON.stringify(Object.fromEntries(named.map(([[key = ''], value]) => [key, toValue(key, value)])));
}

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a command line as a client does. A shell that is missing is reported in `stderr`. */
export function runLine(
  line: string,
  { shell, input, env, signal }: { readonly shell: Shell; readonly input: string } & Pick<CliContext, 'env' | 'signal'>,
): Promise<Ran> {
  const [file, ...args] = shells[shell];
  const stops = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  return new Promise((done) => {
    // cmd takes the outer quotes off, and leaves those in the line.
    const child = spawn(file, [...args, shell === 'windows' ? `"${line}"` : line], {
      env,
      signal: stops,
      windowsVerbatimArguments: shell === 'windows',
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', (error) => done({ code: null, stdout, stderr: `${file}: ${error.message}` }));
    child.on('close', (code) => done({ code, stdout, stderr }));
    // One that ends before it has read all reports by its exit code.
    child.stdin.on('error', () => undefined).end(input);
  });
}

/** What arrived of an event: a brief on standard output, or a session that was handed in. */
async function judge({ code, stdout, stderr }: Ran, event: HookEvent, { folder }: Probe): Promise<Omit<Check, 'name'>> {
  const why = toPlainLine(stderr.trim()).slice(0, 300);
  if (code !== 0) return { status: 'failed', detail: why || `it ended with code ${code}` };
  if (event === 'session-start' || event === 'subagent-start') {
    return stdout.includes(WORDS)
      ? { status: 'ok', detail: `told a brief of ${stdout.trim().length} characters` }
      : { status: 'failed', detail: why || 'it told no brief' };
  }
  if (event === EACH_QUESTION) {
    // Nothing is known of the probe: what was found of it is told by the log alone.
    const log = await readFile(join(folder.path, LOG), 'utf8').catch(() => '');
    const [, line] = /^\S+ a question: ([^\n]*)\n$/mu.exec(log.slice(log.trimEnd().lastIndexOf('\n') + 1)) ?? [];
    if (line === undefined) return { status: 'failed', detail: why || 'no question arrived' };
    return { status: line.startsWith('nothing') ? 'off' : 'ok', detail: line };
  }
  const [found] = await folder.jobs();
  if (found === undefined) return { status: 'failed', detail: why || 'no session arrived' };
  await folder.removeJob(found[0]);
  const { client, size } = found[1];
  const what = specOf(client).keptIn === 'database' ? 'a session' : `a session of ${size} bytes`;
  return { status: 'ok', detail: `${what} arrived` };
}

/** Fires each hook of a client once. */
async function tryClient(client: HookClient, text: string, context: CliContext, probe: Probe): Promise<Check[]> {
  const { events, toFile, toShell } = specOf(client);
  const checks: Check[] = [];
  const lines = Object.entries(events).flatMap(([event, name]) =>
    ownCommandsOf(text, name, toFile(probe.machine)).map((line) => [event as HookEvent, name, line] as const),
  );
  for (const [event, name, line] of lines) {
    const shell = toShell(probe.machine.platform);
    const input = await toInput(client, probe);
    const ran = await runLine(line, { shell, input, env: probe.env, signal: context.signal });
    checks.push({ name, ...(await judge(ran, event, probe)) });
  }
  return checks;
}

/**
 * Fires each hook that `init --hooks` wrote once, as its client does, and tells what arrived. It happens in a folder of its own, and nothing
 * is learnt from it. A client without such hooks is left out.
 */
export async function tryHooks(context: CliContext): Promise<Readonly<Record<string, readonly Check[]>>> {
  const { machine } = context;
  if (machine === undefined) return {};
  const probe = await createProbe(context, machine);
  const tried: Record<string, readonly Check[]> = {};
  try {
    for (const client of hookClientIds) {
      const file = specOf(client).toFile(machine);
      const text = await readIfThere(file).catch(() => undefined);
      if (text === undefined) continue;
      try {
        const checks = await tryClient(client, text, context, probe);
        if (checks.length > 0) tried[client] = checks;
      } catch (error) {
        // A file that its client cannot read either.
        if (!isContextloomError(error)) throw error;
        tried[client] = [{ name: 'readable', status: 'failed', detail: error.message }];
      }
    }
    return tried;
  } finally {
    await rm(probe.root, { recursive: true, force: true });
  }
}
