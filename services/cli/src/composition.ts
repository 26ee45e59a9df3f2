import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { type McpConfig, parseMcpConfig } from '@contextloom/mcp-kit';
import type { CliContext, GlobalOptions } from './context.ts';
import { defaultConfigFile } from './installation.ts';

/** The absolute path of the composition: the one named on the command line, else the product's own. */
export function resolveConfigFile(context: CliContext, globals: GlobalOptions): string {
  return globals.config === undefined ? defaultConfigFile : resolve(context.cwd, globals.config);
}

/**
 * Reads a composition as the aggregator does, so that a mistake in it is told before anything is started.
 * @throws ContextloomError `not_found` or `invalid`, naming the file
 */
export async function loadComposition(file: string, env: CliContext['env']): Promise<McpConfig> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new ContextloomError('not_found', `cannot read ${file}: name another file with --config`, { cause });
  }
  // In an entry, "${MCP_CONFIG}" stands for this very file.
  return parseMcpConfig(text, { env: { ...env, MCP_CONFIG: file }, baseDir: dirname(file), file });
}
