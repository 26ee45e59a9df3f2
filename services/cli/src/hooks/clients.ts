import { inHome, inOwnFolder, joinOn, type Machine } from '../machine.ts';

/** The events that this program has a hook for, as its commands name them. */
export const hookEvents = ['session-start', 'session-end', 'pre-compact', 'subagent-start', 'user-prompt'] as const;
/** One of {@link hookEvents}. */
export type HookEvent = (typeof hookEvents)[number];
/** The event of each question, whose hook is written where somebody asks for it alone. */
export const EACH_QUESTION = 'user-prompt' satisfies HookEvent;

/** How the command line of a hook is quoted: for a shell of Unix, for cmd and Git Bash, or for PowerShell. */
export type Shell = 'posix' | 'windows' | 'powershell';

/** The keys of a hook's input that hold what is needed, the first one that is there. */
interface InputKeys {
  readonly session: readonly string[];
  readonly cwd: readonly string[];
  readonly transcript: readonly string[];
  /** What the user asks, at each question. */
  readonly prompt?: readonly string[];
  /** The client's own program, which reads its sessions. */
  readonly program?: readonly string[];
}

/** A client that runs hooks: where they are written, how it asks, and what it takes for an answer. */
export interface HookClientSpec {
  readonly title: string;
  /** The document that all of this was read in. */
  readonly source: string;
  readonly toFile: (machine: Machine) => string;
  /** Its own names of the events; one without a name does not exist there, or takes nothing. */
  readonly events: Readonly<Partial<Record<HookEvent, string>>>;
  /** What a file of hooks holds besides them. */
  readonly base: Readonly<Record<string, unknown>>;
  /** Whether the file is for these hooks alone, and goes with them. */
  readonly isOwnFile: boolean;
  /** What stands in the list of an event. */
  readonly toEntry: (command: string, platform: NodeJS.Platform, event: HookEvent) => object;
  readonly toShell: (platform: NodeJS.Platform) => Shell;
  readonly keys: InputKeys;
  /** Where it keeps a session that its input names no file of. */
  readonly toTranscript?: (session: string, machine: Machine) => string | undefined;
  /** `database` where all sessions lie in one file, which its own program alone reads; else each has a file, which only grows. */
  readonly keptIn?: 'database';
  /** What adds a text to what a session, or a helper of it, knows. */
  readonly toAnswer: (event: string, text: string) => object;
  /** What else it wants before it runs hooks. */
  readonly advice?: string;
}

/** How long a client lets a hook run, in seconds: each returns long before. A question waits no longer than a second. */
const TIMEOUT_S = 15;
const toTimeout = (event: HookEvent): number => (event === EACH_QUESTION ? 1 : TIMEOUT_S);

const snakeCase: InputKeys = {
  session: ['session_id'],
  cwd: ['cwd'],
  transcript: ['transcript_path'],
  prompt: ['prompt'],
};

/** Clients that took over the form of Claude Code: groups of handlers, and an answer that names the event. */
const grouped = {
  base: {},
  isOwnFile: false,
  keys: snakeCase,
  toShell: (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'windows' : 'posix'),
  toEntry: (command: string, _platform: NodeJS.Platform, event: HookEvent) => ({
    hooks: [{ type: 'command', command, timeout: toTimeout(event) }],
  }),
  toAnswer: (event: string, text: string) => ({
    hookSpecificOutput: { hookEventName: event, additionalContext: text },
  }),
} as const;

const pascalCase = {
  'session-start': 'SessionStart',
  'session-end': 'SessionEnd',
  'pre-compact': 'PreCompact',
  'subagent-start': 'SubagentStart',
  'user-prompt': 'UserPromptSubmit',
} as const;

const toPowerShell = (platform: NodeJS.Platform): Shell => (platform === 'win32' ? 'powershell' : 'posix');

/** A name that may stand in a path. */
const SAFE = /^[\w-]+$/u;

/** The clients that run hooks, by their names in commands and files. */
export const hookClients = {
  'claude-code': {
    ...grouped,
    title: 'Claude Code',
    source: 'code.claude.com/docs/en/hooks',
    toFile: inOwnFolder('CLAUDE_CONFIG_DIR', '.claude', 'settings.json'),
    events: pascalCase,
  },
  codex: {
    ...grouped,
    title: 'Codex',
    source: 'developers.openai.com/codex/hooks; openai/codex, codex-rs/hooks/schema/generated',
    toFile: inOwnFolder('CODEX_HOME', '.codex', 'hooks.json'),
    // A Codex that knows no event of a name never runs it.
    events: pascalCase,
    // It warns at each start of an end that may take longer.
    toEntry: (command: string, _platform: NodeJS.Platform, event: HookEvent) => ({
      hooks: [{ type: 'command', command, timeout: event === 'session-end' ? 3 : toTimeout(event) }],
    }),
    advice: 'Codex asks you to trust new hooks: type /hooks there.',
  },
  gemini: {
    ...grouped,
    title: 'Gemini CLI',
    source: 'geminicli.com/docs/hooks/reference; google-gemini/gemini-cli, packages/core/src/hooks/hookRunner.ts',
    toFile: inHome('.gemini', 'settings.json'),
    // It has no event for a helper.
    events: {
      'session-start': 'SessionStart',
      'session-end': 'SessionEnd',
      'pre-compact': 'PreCompress',
      'user-prompt': 'BeforeAgent',
    },
    toShell: toPowerShell,
    toEntry: (command: string, _platform: NodeJS.Platform, event: HookEvent) => ({
      hooks: [{ name: 'contextloom', type: 'command', command, timeout: toTimeout(event) * 1_000 }],
    }),
  },
  copilot: {
    title: 'Copilot CLI',
    source: 'docs.github.com/en/copilot/reference/hooks-reference',
    toFile: inOwnFolder('COPILOT_HOME', '.copilot', 'hooks', 'contextloom.json'),
    // What a command answers to a question is dropped.
    events: {
      'session-start': 'sessionStart',
      'session-end': 'sessionEnd',
      'pre-compact': 'preCompact',
      'subagent-start': 'subagentStart',
    },
    base: { version: 1 },
    isOwnFile: true,
    toShell: toPowerShell,
    toEntry: (command: string, platform: NodeJS.Platform) => ({
      type: 'command',
      [platform === 'win32' ? 'powershell' : 'bash']: command,
      timeoutSec: TIMEOUT_S,
    }),
    keys: { session: ['sessionId', 'session_id'], cwd: ['cwd'], transcript: ['transcriptPath', 'transcript_path'] },
    // Named at some events alone.
    toTranscript: (session: string, machine: Machine) =>
      SAFE.test(session) ? joinOn(machine, copilotHome(machine, 'session-state'), session, 'events.jsonl') : undefined,
    toAnswer: (_event: string, text: string) => ({ additionalContext: text }),
  },
  cursor: {
    title: 'Cursor',
    source: 'cursor.com/docs/agent/hooks',
    toFile: inHome('.cursor', 'hooks.json'),
    // What starts a helper takes no context: only whether it may start; nor does a question.
    events: { 'session-start': 'sessionStart', 'session-end': 'sessionEnd', 'pre-compact': 'preCompact' },
    base: { version: 1 },
    isOwnFile: false,
    toShell: grouped.toShell,
    toEntry: (command: string) => ({ command, timeout: TIMEOUT_S }),
    keys: {
      session: ['session_id', 'conversation_id'],
      cwd: ['workspace_roots', 'cwd'],
      transcript: ['transcript_path'],
    },
    toAnswer: (_event: string, text: string) => ({ additional_context: text }),
  },
  opencode: {
    title: 'OpenCode',
    source: 'opencode.ai/docs/plugins; @opencode-ai/plugin 1.18.33, and what that program was seen to do',
    toFile: (machine: Machine) => joinOn(machine, openCodeFolder(machine, 'config'), 'plugins', 'contextloom.js'),
    // It runs no commands: what init writes is a plugin, which runs these.
    events: {
      'session-start': 'session-start',
      'session-end': 'session-end',
      'pre-compact': 'pre-compact',
      'subagent-start': 'subagent-start',
      'user-prompt': 'user-prompt',
    },
    base: {},
    isOwnFile: true,
    toShell: grouped.toShell,
    toEntry: (command: string) => ({ command }),
    keys: { session: ['sessionID'], cwd: ['directory'], transcript: [], program: ['program'], prompt: ['prompt'] },
    toTranscript: (session: string, machine: Machine) =>
      SAFE.test(session) ? joinOn(machine, openCodeFolder(machine, 'data'), 'opencode.db') : undefined,
    keptIn: 'database',
    toAnswer: (_event: string, text: string) => ({ context: text }),
  },
} as const satisfies Readonly<Record<string, HookClientSpec>>;

/** The name of a client that runs hooks. */
export type HookClient = keyof typeof hookClients;

/** The names of all of them. */
export const hookClientIds = Object.keys(hookClients) as readonly HookClient[];

/** Whether a client runs hooks. */
export const isHookClient = (id: string): id is HookClient => Object.hasOwn(hookClients, id);

/** What is known of a client. */
export const specOf = (client: HookClient): HookClientSpec => hookClients[client];

/** It keeps to the XDG base directories on every system. */
function openCodeFolder(machine: Machine, kind: 'config' | 'data'): string {
  const inXdg =
    kind === 'config'
      ? inOwnFolder('XDG_CONFIG_HOME', '.config', 'opencode')
      : inOwnFolder('XDG_DATA_HOME', joinOn(machine, '.local', 'share'), 'opencode');
  return inXdg(machine);
}

function copilotHome(machine: Machine, folder: string): string {
  return inOwnFolder('COPILOT_HOME', '.copilot', folder)(machine);
}
