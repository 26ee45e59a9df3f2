import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import {
  defaultComposition,
  type EnvFile,
  findMissingScript,
  installedComposition,
  type McpConfig,
  ownComposition,
  parseMcpConfig,
  readEnvFile,
  withEnvFile,
} from '@contextloom/mcp-client';
import type { Environment } from '@contextloom/runtime';
import type { CliContext, GlobalOptions } from '../context.ts';

/** A composition, parsed as the aggregator parses it, so that a mistake is reported before any server starts. */
export interface Composition extends McpConfig {
  /** Its absolute path. */
  readonly file: string;
  /** The `.env` file next to it, where there is one. */
  readonly envFile: EnvFile | undefined;
  /** The environment of the command with what that file adds. */
  readonly env: Environment;
}

/** The absolute path of the composition: the one named on the command line, else the user's own, else the product's. */
export function resolveConfigFile(context: CliContext, globals: Pick<GlobalOptions, 'config'>): string {
  return globals.config === undefined ? defaultComposition : resolve(context.cwd, globals.config);
}

/** A composition that a command changes: where it is written, and the one that it starts from where it is not there yet. */
export interface EditedComposition {
  readonly file: string;
  readonly template?: string;
}

/** The composition to change: the one named on the command line, else the user's own, which starts as a copy of the product's. */
export function resolveEditedFile(context: CliContext, { config }: GlobalOptions): EditedComposition {
  return config === undefined
    ? { file: ownComposition, template: installedComposition }
    : { file: resolve(context.cwd, config) };
}

/**
 * Reads the composition that a command works with, and the `.env` file next to it.
 * @throws ContextloomError `not_found` or `invalid`, naming the file
 */
export async function loadComposition(
  context: CliContext,
  globals: Pick<GlobalOptions, 'config'>,
): Promise<Composition> {
  const file = resolveConfigFile(context, globals);
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (cause) {
    throw new ContextloomError('not_found', `cannot read ${file}: name another file with --config`, { cause });
  }
  const envFile = readEnvFile(file);
  const env = withEnvFile(context.env, envFile);
  // In an entry, "${MCP_CONFIG}" stands for this very file.
  const config = parseMcpConfig(text, { env: { ...env, MCP_CONFIG: file }, baseDir: dirname(file), file });
  refuseMoved(config, file);
  return { ...config, file, envFile, env };
}

/** Refuses a composition that was copied away from its servers, since none of them could start. */
function refuseMoved({ servers }: McpConfig, file: string): void {
  const missing = Object.values(servers).map(findMissingScript);
  const [script] = missing;
  if (script === undefined || missing.includes(undefined)) return;
  const advice = `relative paths start at the folder of the file: write absolute ones, or name ${installedComposition} with --config`;
  throw new ContextloomError(
    'not_found',
    `${file} starts nothing: there is no ${resolve(dirname(file), script)}; ${advice}`,
  );
}
