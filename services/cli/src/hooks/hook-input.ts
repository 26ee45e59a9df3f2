import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';

/** The clients that run hooks. Both send the same fields and take the same answer. */
export const hookClients = ['claude-code', 'codex'] as const;
/** One of {@link hookClients}. */
export type HookClient = (typeof hookClients)[number];

const inputSchema = z.looseObject({
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4_096),
  transcript_path: z.string().min(1).max(4_096).nullish(),
  /** Of a start: `startup`, `resume`, `clear` or `compact`. */
  source: z.string().max(100).nullish().catch(undefined),
});

/** What a client tells a hook; `transcript_path` is missing in sessions that the client does not record. */
export type HookInput = z.output<typeof inputSchema>;

/**
 * Parses what a client writes to a hook's standard input.
 * @throws ContextloomError `invalid`
 */
export function parseHookInput(text: string): HookInput {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', 'standard input is not JSON: a client runs this command as a hook', {
      cause,
    });
  }
  const parsed = inputSchema.safeParse(value);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ContextloomError('invalid', `the input of the hook lacks ${field || 'its fields'}`, {
    cause: parsed.error,
  });
}

/** The events at which a client adds what a hook answers. */
export type TellingEvent = 'SessionStart' | 'SubagentStart';

/**
 * The answer that adds to what a session or a helper of it knows.
 * Source: https://code.claude.com/docs/en/hooks and https://developers.openai.com/codex/hooks, `SessionStart` and `SubagentStart`.
 */
export function toContextAnswer(event: TellingEvent, context: string): object {
  return { hookSpecificOutput: { hookEventName: event, additionalContext: context } };
}
