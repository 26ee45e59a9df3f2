import { posix, win32 } from 'node:path';
import type { Environment } from '@contextloom/runtime';

/** The machine that configurations are written on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Environment;
}

/** How a client starts the server: a program and its arguments. */
export interface Launch {
  readonly command: string;
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

/** An MCP client, and where and how it keeps its servers. */
export interface McpClient {
  readonly id: string;
  readonly title: string;
  /** The absolute path of its configuration; undefined for a client that takes servers in its own window alone. */
  readonly toFile: (machine: Machine) => string | undefined;
  readonly format: 'json' | 'toml';
  /** The key of the servers. */
  readonly section: string;
  /** The file of its hooks; absent for a client that runs none. */
  readonly toHooksFile?: (machine: Machine) => string;
  readonly toEntry: (launch: Launch) => Readonly<Record<string, unknown>>;
}

/** Joins paths as the machine writes them, which need not be the one that this runs on. */
const join = ({ platform }: Machine, ...parts: string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...parts);

const inHome =
  (...parts: string[]) =>
  (machine: Machine): string =>
    join(machine, machine.home, ...parts);

/** The folder where programs keep what is theirs, as Electron's `appData`. */
function toAppData(machine: Machine): string {
  const { platform, home, env } = machine;
  if (platform === 'win32') return env['APPDATA'] || join(machine, home, 'AppData', 'Roaming');
  if (platform === 'darwin') return join(machine, home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || join(machine, home, '.config');
}

const inAppData =
  (...parts: string[]) =>
  (machine: Machine): string =>
    join(machine, toAppData(machine), ...parts);

const inOwnFolder =
  (variable: string, usual: string, file: string) =>
  (machine: Machine): string =>
    join(machine, machine.env[variable] || join(machine, machine.home, usual), file);

/** Zed keeps its settings in `~/.config` on macOS too. */
const toZedFile = (machine: Machine): string =>
  machine.platform === 'darwin'
    ? join(machine, machine.home, '.config', 'zed', 'settings.json')
    : join(machine, toAppData(machine), machine.platform === 'win32' ? 'Zed' : 'zed', 'settings.json');

const json = { format: 'json', section: 'mcpServers', toEntry: (launch: Launch) => ({ ...launch }) } as const;
const typed = { ...json, toEntry: (launch: Launch) => ({ type: 'stdio', ...launch }) } as const;

/** The clients whose configuration is known, by the documentation of each in November 2026. */
export const clients: readonly McpClient[] = [
  { ...json, id: 'claude-desktop', title: 'Claude Desktop', toFile: inAppData('Claude', 'claude_desktop_config.json') },
  {
    ...typed,
    id: 'claude-code',
    title: 'Claude Code',
    toFile: inOwnFolder('CLAUDE_CONFIG_DIR', '', '.claude.json'),
    toHooksFile: inOwnFolder('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
  },
  { ...json, id: 'cursor', title: 'Cursor', toFile: inHome('.cursor', 'mcp.json') },
  { ...typed, id: 'vscode', title: 'VS Code', section: 'servers', toFile: inAppData('Code', 'User', 'mcp.json') },
  { ...json, id: 'windsurf', title: 'Windsurf', toFile: inHome('.codeium', 'windsurf', 'mcp_config.json') },
  { ...json, id: 'gemini', title: 'Gemini CLI', toFile: inHome('.gemini', 'settings.json') },
  {
    ...json,
    id: 'codex',
    title: 'Codex',
    format: 'toml',
    section: 'mcp_servers',
    toFile: inOwnFolder('CODEX_HOME', '.codex', 'config.toml'),
    toHooksFile: inOwnFolder('CODEX_HOME', '.codex', 'hooks.json'),
  },
  { ...json, id: 'zed', title: 'Zed', section: 'context_servers', toFile: toZedFile },
  { ...json, id: 'cherry-studio', title: 'Cherry Studio', toFile: () => undefined },
];
