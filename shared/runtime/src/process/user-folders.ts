import { homedir, userInfo } from 'node:os';
import { posix, win32 } from 'node:path';
import process from 'node:process';

/** What of a machine says where a user's files belong. */
export interface FolderPlace {
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's home folder; undefined for a user without one. */
  readonly home: string | undefined;
}

/** The folders of this program in a user's home, as absolute paths. */
export interface UserFolders {
  readonly data: string;
  readonly config: string;
}

const NAME = 'contextloom';
/** Debian names it as the home of users without one: what would be written there fails, by a path that says why. */
const NO_HOME = '/nonexistent';

/**
 * Says where a user's data and configuration lie, as the package env-paths does, which cannot be loaded by a user without a home folder.
 * Source: the XDG base directories (relative ones are ignored), Apple's File System Programming Guide, Windows' known folders.
 */
export function toUserFolders({ platform, env, home = NO_HOME }: FolderPlace): UserFolders {
  const { isAbsolute, join } = platform === 'win32' ? win32 : posix;
  const toFolder = (variable: string, ...usual: readonly string[]): string => {
    const named = env[variable];
    return named !== undefined && isAbsolute(named) ? named : join(home, ...usual);
  };
  if (platform === 'win32') {
    return {
      data: join(toFolder('LOCALAPPDATA', 'AppData', 'Local'), NAME, 'Data'),
      config: join(toFolder('APPDATA', 'AppData', 'Roaming'), NAME, 'Config'),
    };
  }
  if (platform === 'darwin') {
    return {
      data: join(home, 'Library', 'Application Support', NAME),
      config: join(home, 'Library', 'Preferences', NAME),
    };
  }
  return {
    data: join(toFolder('XDG_DATA_HOME', '.local', 'share'), NAME),
    config: join(toFolder('XDG_CONFIG_HOME', '.config'), NAME),
  };
}

/** The home folder that HOME names, else the one in the list of users; undefined where neither names one. */
function findHome(): string | undefined {
  const { isAbsolute } = process.platform === 'win32' ? win32 : posix;
  for (const ask of [homedir, () => userInfo().homedir]) {
    try {
      const home = ask();
      if (isAbsolute(home)) return home;
    } catch (error) {
      if (Object(error).syscall === undefined) throw error; // Else the system knows no such user.
    }
  }
  return undefined;
}

/** The folders of the user who runs this process. */
export const userFolders = toUserFolders({ platform: process.platform, env: process.env, home: findHome() });

/**
 * How the folder is called in which a coding agent reads a conversation for a server (LLM_PROVIDER): a session there is none of its user,
 * and hooks leave it alone.
 */
export const READING_FOLDER = 'contextloom-reading-';
