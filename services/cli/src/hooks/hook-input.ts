import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import type { Machine } from '../machine.ts';
import { type HookClient, specOf } from './clients.ts';

const inputSchema = z.object({
  session_id: z.string().min(1).max(256),
  cwd: z.string().min(1).max(4_096),
  transcript_path: z.string().min(1).max(4_096).nullish(),
  program: z.string().min(1).max(4_096).optional(),
  prompt: z.string().optional(),
});

/** What a client tells a hook; `transcript_path` is missing in sessions that the client does not record. */
export type HookInput = z.output<typeof inputSchema>;

function parseJson(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return Object(value);
  } catch (cause) {
    throw new ContextloomError('invalid', 'standard input is not JSON: a client runs this command as a hook', {
      cause,
    });
  }
}

/**
 * Parses what a client writes to a hook's standard input.
 * @throws ContextloomError `invalid`
 */
export function parseHookInput(text: string, client: HookClient, machine?: Machine): HookInput {
  const value = parseJson(text);
  const { keys, toTranscript } = specOf(client);
  const read = (names: readonly string[]): unknown => {
    const found = names.map((name) => value[name]).find((one) => one != null);
    // Of several folders the first one is where the client works.
    return Array.isArray(found) ? found[0] : found;
  };
  const parsed = inputSchema.safeParse({
    session_id: read(keys.session),
    cwd: read(keys.cwd),
    transcript_path: read(keys.transcript),
    program: read(keys.program ?? []),
    prompt: read(keys.prompt ?? []),
  });
  if (parsed.success) {
    const { session_id: session, transcript_path: named } = parsed.data;
    const kept = named ?? (machine && toTranscript?.(session, machine));
    return { ...parsed.data, transcript_path: kept };
  }
  const { session, cwd, transcript, program = [], prompt = [] } = keys;
  const names = { session_id: session, cwd, transcript_path: transcript, program, prompt };
  const field = parsed.error.issues[0]?.path[0] as keyof typeof names | undefined;
  const shown = field === undefined ? 'its fields' : names[field].join(' or ');
  throw new ContextloomError('invalid', `the input of the hook lacks ${shown}`, { cause: parsed.error });
}
