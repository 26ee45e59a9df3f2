import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { loadComposition } from '../composition/composition.ts';
import { entryFile } from '../composition/installation.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';

/**
 * Runs the importer of the memory processor, which reads files where they lie. A run that fails ends this command as failed.
 * @param words the command and its options, as the importer takes them
 */
export function runImporter(words: readonly string[], context: CliContext, globals: GlobalOptions): Promise<void> {
  return runMemoryProcessor('import.js', [...(globals.json ? ['--json'] : []), ...words], context, globals);
}

/** Runs a program of the memory processor to its end, with the settings that the composition gives it. */
export async function runMemoryProcessor(
  name: 'import.js' | 'server.js',
  words: readonly string[],
  context: CliContext,
  globals: GlobalOptions,
): Promise<void> {
  const { file, env, servers } = await loadComposition(context, globals);
  const entry = servers['memory-processor'];
  const own = entry !== undefined && 'env' in entry ? entry.env : {};
  const isOwn = context.stdout === process.stdout;
  const args = [entryFile('memory-processor', name), '--config', file, ...words];
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
