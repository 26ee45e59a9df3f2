import { runOwnProgram } from '../composition/run-program.ts';
import type { CliContext, GlobalOptions } from '../context.ts';

/**
 * Runs the importer of the memory processor, which reads files where they lie. A run that fails ends this command as failed.
 * @param words the command and its options, as the importer takes them
 */
export function runImporter(words: readonly string[], context: CliContext, globals: GlobalOptions): Promise<void> {
  return runMemoryProcessor('import.js', [...(globals.json ? ['--json'] : []), ...words], context, globals);
}

/** Runs a program of the memory processor to its end, with the settings that the composition gives it. */
export function runMemoryProcessor(
  name: 'import.js' | 'server.js',
  words: readonly string[],
  context: CliContext,
  globals: GlobalOptions,
): Promise<void> {
  const toWords = (config: string): readonly string[] => ['--config', config, ...words];
  return runOwnProgram({ service: 'memory-processor', name, toWords }, context, globals);
}
