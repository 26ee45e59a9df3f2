import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { CliContext, GlobalOptions } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { loadComposition } from './composition.ts';
import { entryFile } from './installation.ts';

/** A program of one of the servers. */
export interface OwnProgram {
  readonly service: 'knowledge-base' | 'memory-processor' | 'personal-memory' | 'project-memory';
  /** What the composition calls its server; as the service without it. */
  readonly server?: string;
  /** Its file in `dist`. */
  readonly name: string;
  /** What it is called with; `config` is the file of the composition, `own` what its entry gives the server. */
  readonly toWords: (config: string, own: readonly string[]) => readonly string[];
}

/** Runs a program of a server to its end, with the settings that the composition gives it; one that fails ends this command as failed. */
export async function runOwnProgram(
  { service, server = service, name, toWords }: OwnProgram,
  context: CliContext,
  globals: GlobalOptions,
): Promise<void> {
  const { file, env, servers } = await loadComposition(context, globals);
  const entry = servers[server];
  const isHere = entry !== undefined && 'env' in entry;
  const own = isHere ? entry.env : {};
  const isOwn = context.stdout === process.stdout;
  const args = [entryFile(service, name), ...toWords(file, isHere ? entry.args.slice(1) : [])];
  const child = spawn(context.execPath, args, {
    cwd: context.cwd,
    env: { MULTI_USER: 'true', ...env, ...own, ...(globals.verbose && { LOG_LEVEL: 'info' }), MCP_CONFIG: file },
    stdio: ['inherit', isOwn ? 'inherit' : 'pipe', isOwn ? 'inherit' : 'pipe'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => context.stdout.write(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => context.stderr.write(text));
  // A terminal tells both of Ctrl-C; other signals come to this process alone.
  const stop = (): void => void child.kill('SIGTERM');
  context.signal.addEventListener('abort', stop, { once: true });
  const [code] = await once(child, 'close');
  context.signal.removeEventListener('abort', stop);
  if (code !== 0) endAsFailed();
}
