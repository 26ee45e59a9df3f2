import { createInterface } from 'node:readline/promises';
import { ContextloomError } from '@contextloom/contracts';
import { toNameKey } from '@contextloom/transcripts';
import type { Preview } from './preview.ts';

/** A terminal that questions are asked on. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
  readonly signal: AbortSignal;
}

async function ask(question: string, { input, output, signal }: Terminal): Promise<string> {
  const reader = createInterface({ input, output });
  try {
    return (await reader.question(question, { signal })).trim();
  } finally {
    reader.close();
  }
}

/** The names in a chat among people, in which nobody is known to be the user; undefined when somebody is, or nobody speaks. */
export function findCandidates(previews: readonly Preview[]): readonly string[] | undefined {
  const names = new Map<string, number>();
  for (const { speakers } of previews) {
    for (const { name, turns, is_user: isUser } of speakers) {
      if (isUser) return undefined;
      names.set(name, (names.get(name) ?? 0) + turns);
    }
  }
  const sorted = [...names].sort(([, a], [, b]) => b - a).map(([name]) => name);
  return sorted.length === 0 ? undefined : sorted;
}

/** So many speakers are named in an error. */
const NAMED = 20;

/**
 * Refuses a name of the user that nobody in a chat has: nothing would be the user's.
 * @throws ContextloomError `invalid`, naming who speaks there
 */
export function refuseUnknownMe(me: readonly string[], previews: readonly Preview[]): void {
  const names = findCandidates(previews);
  if (me.length === 0 || names === undefined) return;
  const others = sortByLikeness(names, me)
    .slice(0, NAMED)
    .map((name) => `"${name}"`)
    .join(', ');
  throw new ContextloomError('invalid', `nobody in it is called "${me.join('" or "')}"; there are: ${others}`, {
    field: 'me',
  });
}

/** Names with those first that have one of some others in them, or stand in it: "Ann Reid" where "Ann" is meant. */
export function sortByLikeness(names: readonly string[], meant: readonly string[]): readonly string[] {
  const keys = meant.map(toNameKey).filter((key) => key !== '');
  const isLike = (name: string): boolean => {
    const own = toNameKey(name);
    return keys.some((key) => own.includes(key) || (own !== '' && key.includes(own)));
  };
  return [...names.filter(isLike), ...names.filter((name) => !isLike(name))];
}

const SHOWN = 9;

/** Asks who of them the user is; undefined when nobody is. */
export async function askWhoIsMe(names: readonly string[], terminal: Terminal): Promise<string | undefined> {
  const list = names.slice(0, SHOWN).map((name, at) => `  ${at + 1}  ${name}`);
  const answer = await ask(
    `Who of them are you?\n${list.join('\n')}\nNumber or name, or Enter if you are none of them: `,
    terminal,
  );
  if (answer === '') return undefined;
  return /^[1-9]$/u.test(answer) ? (names[Number(answer) - 1] ?? answer) : answer;
}

/** Asks whether to go on; Enter means yes. */
export async function confirmImport(terminal: Terminal): Promise<boolean> {
  return /^(?:|y|yes|j|ja|是|好)$/iu.test(await ask('Import? [Y/n] ', terminal));
}
