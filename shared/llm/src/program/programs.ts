import type { TokenUsage } from '../chat/chat-model.ts';

/** What a program answered; `failed` with its own words, which are logged and never returned. */
export type ProgramAnswer =
  | { readonly kind: 'answer'; readonly text: string; readonly usage: TokenUsage }
  | { readonly kind: 'failed'; readonly words: string };

/** A coding agent that answers one question and ends, by the model that its user is signed in to. */
export interface Program {
  readonly command: string;
  /** The arguments; the question goes to standard input. Tools, servers and settings that it does not need are off, since what it reads was said by anybody. */
  readonly toArgs: (model: string | undefined) => readonly string[];
  /** Reads what it prints. @throws SyntaxError for what is no JSON */
  readonly read: (stdout: string) => ProgramAnswer;
  /** Exit codes that say that nobody is signed in. */
  readonly unauthorized: readonly number[];
}

type Fields = Readonly<Record<string, unknown>>;
const fieldsOf = (value: unknown): Fields => Object(value);
const countOf = (...values: readonly unknown[]): number =>
  values.reduce<number>((sum, value) => sum + (typeof value === 'number' ? value : 0), 0);
const modelFlag = (model: string | undefined): readonly string[] => (model === undefined ? [] : ['--model', model]);

/** One object, as `--output-format json` prints it. Source: code.claude.com/docs/en/headless and /cli-reference. */
function readClaude(stdout: string): ProgramAnswer {
  const { result, is_error: isError, usage } = fieldsOf(JSON.parse(stdout));
  if (isError === true || typeof result !== 'string') return { kind: 'failed', words: String(result ?? stdout) };
  const tokens = fieldsOf(usage);
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens } = tokens;
  const input = countOf(input_tokens, cache_creation_input_tokens, cache_read_input_tokens);
  return { kind: 'answer', text: result, usage: { input, output: countOf(tokens['output_tokens']) } };
}

/** An event a line; the last message is the answer. Source: openai/codex, docs/exec.md and codex-rs/exec/src/exec_events.rs. */
function readCodex(stdout: string): ProgramAnswer {
  let text: string | undefined;
  let usage: TokenUsage = { input: 0, output: 0 };
  for (const line of stdout.split('\n')) {
    if (line.trim() === '') continue;
    const event = fieldsOf(JSON.parse(line));
    const [item, tokens, error] = [fieldsOf(event['item']), fieldsOf(event['usage']), fieldsOf(event['error'])];
    if (event['type'] === 'turn.failed') return { kind: 'failed', words: String(error['message']) };
    if (event['type'] === 'item.completed' && item['type'] === 'agent_message') text = String(item['text']);
    if (event['type'] === 'turn.completed')
      usage = { input: countOf(tokens['input_tokens']), output: countOf(tokens['output_tokens']) };
  }
  return text === undefined ? { kind: 'failed', words: stdout } : { kind: 'answer', text, usage };
}

/** One object. Source: google-gemini/gemini-cli, docs/cli/headless.md. */
function readGemini(stdout: string): ProgramAnswer {
  const { response, error, stats } = fieldsOf(JSON.parse(stdout));
  if (error != null || typeof response !== 'string')
    return { kind: 'failed', words: String(fieldsOf(error)['message'] ?? stdout) };
  const models = Object.values(fieldsOf(fieldsOf(stats)['models'])).map((one) => fieldsOf(fieldsOf(one)['tokens']));
  const input = countOf(...models.map(({ prompt }) => prompt));
  return {
    kind: 'answer',
    text: response,
    usage: { input, output: countOf(...models.map(({ candidates }) => candidates)) },
  };
}

/** The programs, by the names that LLM_PROVIDER takes. */
export const programs = {
  'claude-code': {
    command: 'claude',
    toArgs: (model) => [
      ...['-p', '--output-format', 'json', '--no-session-persistence'],
      ...['--tools', '', '--strict-mcp-config'],
      ...modelFlag(model),
    ],
    read: readClaude,
    unauthorized: [],
  },
  codex: {
    command: 'codex',
    toArgs: (model) => [
      ...['exec', '--json', '--skip-git-repo-check', '--ephemeral'],
      ...['--sandbox', 'read-only', '--ignore-user-config', '--ignore-rules'],
      ...modelFlag(model),
      '-',
    ],
    read: readCodex,
    unauthorized: [],
  },
  'gemini-cli': {
    command: 'gemini',
    toArgs: (model) => ['--output-format', 'json', ...modelFlag(model)],
    read: readGemini,
    unauthorized: [41],
  },
} as const satisfies Readonly<Record<string, Program>>;

/** A name that LLM_PROVIDER takes. */
export type ProgramName = keyof typeof programs;
/** All of them. */
export const programNames = Object.keys(programs) as [ProgramName, ...ProgramName[]];
