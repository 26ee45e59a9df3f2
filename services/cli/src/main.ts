import { spawn } from 'node:child_process';
import { homedir } from 'node:os';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline/promises';
import { pathToFileURL } from 'node:url';
import { isContextloomError } from '@contextloom/contracts';
import { ignoreBrokenPipe } from '@contextloom/runtime';
import type { CliContext } from './context.ts';
import type { Machine } from './machine.ts';
import type { Served } from './serve.ts';
import { watchParent } from './stack/parent.ts';

/** Becomes the program of a server, which ends this process itself. */
async function serve({ service, args }: Served): Promise<void> {
  try {
    const { findServer } = await import('./serve.ts');
    const script = findServer(service);
    process.argv.splice(1, process.argv.length, script, ...args);
    await import(pathToFileURL(script).href);
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    process.stderr.write(`contextloom: ${error.message}\n`);
    const { exitCodes } = await import('./exit-codes.ts');
    process.exitCode = exitCodes.usage;
  }
}

/** What a client tells a hook takes a few hundred characters. */
const MAX_INPUT = 1_000_000;

/** The machine; undefined for a user without a home folder. */
function findMachine(): Machine | undefined {
  try {
    return { platform: process.platform, home: homedir(), env: process.env };
  } catch {
    return undefined; // Neither HOME nor the list of users names one.
  }
}

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  return lines.question(question).finally(() => lines.close());
}

/** Standard input until its end: a client that starts a hook closes it at once. */
async function readInput(): Promise<string> {
  let text = '';
  for await (const piece of process.stdin.setEncoding('utf8')) {
    text += String(piece);
    if (text.length > MAX_INPUT) break;
  }
  return text;
}

/** In a session of its own, so that it lives on when a terminal or a client ends all that they started. */
function startDetached(args: readonly string[]): void {
  const [node, script = ''] = process.argv;
  const options = { detached: true, stdio: 'ignore', cwd: dirname(script), windowsHide: true } as const;
  const child = spawn(String(node), [script, ...args], options);
  child.on('error', (error) => process.stderr.write(`contextloom: ${error.message}\n`));
  child.unref();
}

async function run(): Promise<void> {
  const ending = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(name, () => ending.abort());
  // npm and npx may exit without passing on the signal that ended them. Started by anything else, a command may well outlive it,
  // as with nohup.
  if (process.env['npm_command'] !== undefined) void watchParent({ process, onGone: () => ending.abort() });

  // A reader that has seen enough (`contextloom memories … | head`) is no failure.
  ignoreBrokenPipe(process);

  const context: CliContext = {
    stdout: process.stdout,
    stderr: process.stderr,
    env: process.env,
    cwd: process.cwd(),
    execPath: process.execPath,
    machine: findMachine(),
    ask: process.stdin.isTTY ? ask : undefined,
    readInput: process.stdin.isTTY ? undefined : readInput,
    startDetached,
    signal: ending.signal,
    clock: () => new Date(),
    now: () => performance.now(),
  };
  const hook = process.argv[2] === 'hook' ? await readHook() : undefined;
  if (hook !== undefined) return hook(context);
  // Neither a server nor a hook needs any of the commands.
  const { runProgram } = await import('./program.ts');
  process.exitCode = await runProgram(process.argv, context);
}

/** What a client runs and waits for; undefined for what only the program reads. */
async function readHook(): Promise<((context: CliContext) => Promise<void>) | undefined> {
  const [{ readHookLine }, { runHookEvent }] = await Promise.all([
    import('./hooks/read-hook.ts'),
    import('./hooks/run-hook.ts'),
  ]);
  const line = readHookLine(process.argv.slice(2));
  if (line === undefined || line.event !== 'user-prompt')
    return line && ((context) => runHookEvent(context, line.event, line));
  return async (context) => {
    await runHookEvent(context, line.event, line);
    // The question waits: a server that ends by itself is not waited for.
    process.stdout.write('', () => process.exit());
  };
}

/** A client waits for a hook, which needs nothing of what servers are found with. */
async function readServer(): Promise<Served | undefined> {
  if (process.argv[2] === 'hook') return undefined;
  const { readServed } = await import('./serve.ts');
  return readServed(process.argv.slice(2), process.stdin.isTTY === true);
}

const served = await readServer();
await (served === undefined ? run() : serve(served));
