import { sep } from 'node:path';
import type { Shell } from '../hooks/clients.ts';
import type { Launch } from './clients.ts';

/** What the server is for. */
export interface ServerChoice {
  readonly user: string;
  readonly profile: string;
}

/** Where this command runs from. */
export interface Installation {
  readonly platform: NodeJS.Platform;
  readonly execPath: string;
  /** The folder of the package, or of the repository. */
  readonly root: string;
  /** The file of the command. */
  readonly bin: string;
}

/**
 * How a client starts this command. A copy that npx keeps may be gone tomorrow: that one is fetched again by its name. Any other
 * one is started where it lies, by the Node that runs it, since a desktop client may have another PATH.
 */
export function toLaunch({ user, profile }: ServerChoice, installation: Installation): Launch {
  return toCommand(['serve', '--profile', profile, '--user', user], installation);
}

/** The same for any arguments of the command. */
function toCommand(args: readonly string[], { platform, execPath, root, bin }: Installation): Launch {
  if (!root.split(sep).includes('_npx')) return { command: execPath, args: [bin, ...args] };
  const npx = ['npx', '-y', 'contextloom', ...args];
  // On Windows npx is a command file, which only a shell can start.
  const [command = 'npx', ...rest] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args: rest };
}

/** A word of a command line, as a shell reads it. */
function quote(word: string, shell: Shell): string {
  if (/^[\w@%+=:,./-]+$/u.test(word) && !(shell === 'powershell' && /^[@%]/u.test(word))) return word;
  if (shell === 'powershell') return `'${word.replaceAll("'", "''")}'`;
  // On Windows, clients run hooks by cmd or by Git Bash: both read double quotes, and paths hold none.
  return shell === 'windows' ? `"${word}"` : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The same as one line for a shell, as clients run hooks. */
export function toCommandLine(args: readonly string[], installation: Installation, shell: Shell): string {
  const { command, args: rest } = toCommand(args, installation);
  const line = [command, ...rest].map((word) => quote(word, shell)).join(' ');
  // PowerShell takes a quoted path for words, and no command.
  return shell === 'powershell' && line.startsWith("'") ? `& ${line}` : line;
}
