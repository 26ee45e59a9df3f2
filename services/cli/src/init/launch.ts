import { sep } from 'node:path';
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
export function toLaunch({ user, profile }: ServerChoice, { platform, execPath, root, bin }: Installation): Launch {
  const args = ['serve', '--profile', profile, '--user', user];
  if (!root.split(sep).includes('_npx')) return { command: execPath, args: [bin, ...args] };
  const npx = ['npx', '-y', 'contextloom', ...args];
  // On Windows npx is a command file, which only a shell can start.
  const [command = 'npx', ...rest] = platform === 'win32' ? ['cmd', '/c', ...npx] : npx;
  return { command, args: rest };
}
