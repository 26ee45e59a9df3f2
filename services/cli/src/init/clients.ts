import { inHome, inOwnFolder, joinOn as join, type Machine } from '../machine.ts';

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
  readonly toEntry: (launch: Launch) => Readonly<Record<string, unknown>>;
  /** Reads such an entry; undefined where it holds the program, its arguments and its settings by the names of {@link Launch}. */
  readonly toLaunch?: (entry: Readonly<Record<string, unknown>>) => Partial<Launch>;
}

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
  },
  {
    ...json,
    id: 'copilot',
    title: 'Copilot CLI',
    toFile: inOwnFolder('COPILOT_HOME', '.copilot', 'mcp-config.json'),
    toEntry: (launch) => ({ type: 'local', ...launch, tools: ['*'] }),
  },
  { ...json, id: 'zed', title: 'Zed', section: 'context_servers', toFile: toZedFile },
  {
    ...json,
    id: 'opencode',
    title: 'OpenCode',
    section: 'mcp',
    // It keeps to the XDG base directories on every system.
    toFile: inOwnFolder('XDG_CONFIG_HOME', '.config', 'opencode', 'opencode.json'),
    toEntry: ({ command, args, env }) => ({
      type: 'local',
      command: [command, ...args],
      ...(env !== undefined && { environment: env }),
    }),
    toLaunch: ({ command, environment }) => {
      const [program, ...args]: readonly string[] = Array.isArray(command) ? command : [];
      return { ...(program !== undefined && { command: program }), args, env: Object(environment ?? {}) };
    },
  },
  { ...json, id: 'cherry-studio', title: 'Cherry Studio', toFile: () => undefined },
];
