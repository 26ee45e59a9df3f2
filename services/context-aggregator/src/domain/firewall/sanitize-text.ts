import { readEpisode, withoutDate, withoutSpeaker } from '@contextloom/contracts';
import { withPlainLineBreaks } from '@contextloom/retrieval';
import { isInstruction, maskSecrets } from '@contextloom/safety';
import { withoutHidden } from './hidden.ts';
import { neutralise } from './markup.ts';

/** A text as it may enter a prompt: as data. */
export interface GuardedText {
  /** "" when nothing of it may. */
  readonly text: string;
  /** How many of its parts were held back since they are written for the assistant. */
  readonly held: number;
  /** How many secrets were masked. */
  readonly masked: number;
}

/** Makes data of texts as {@link sanitizeText} does. */
export type SanitizeText = typeof sanitizeText;

/** UTF-16 units of a text that are judged and included; no prompt has room for more of one. */
const LONGEST = 50_000;

/**
 * The lines of a conversation that are not written for the assistant; one order may be broken over two of them. What is left of a turn
 * whose first line is held back stays its speaker's.
 */
function withoutInstructions(lines: readonly string[]): readonly string[] {
  let held: string | undefined;
  return lines.flatMap((line) => {
    const speaker = readEpisode(line).turns[0]?.speaker;
    const isHeld = isInstruction(withoutSpeaker(line));
    if (speaker !== undefined) held = isHeld ? speaker : undefined;
    if (isHeld) return [];
    if (speaker !== undefined || held === undefined || line.trim() === '') return [line];
    const whole = `${held}: ${line.trimStart()}`;
    held = undefined;
    return [whole];
  });
}

function guardWhole(text: string): { readonly text: string; readonly held: number } {
  return isInstruction(text) ? { text: '', held: 1 } : { text, held: 0 };
}

/** A conversation loses the turns that are written for the assistant, and all of it when they are one only together. */
function guardTurns(text: string): { readonly text: string; readonly held: number } {
  const lines = text.split('\n');
  const kept = withoutInstructions(lines);
  const said = kept.filter((line) => line === '' || withoutDate(line) !== '');
  if (isInstruction(said.map(withoutSpeaker).join('\n'))) return { text: '', held: 1 };
  return { text: said.length === 0 ? '' : kept.join('\n'), held: lines.length - kept.length };
}

/**
 * Makes data of a text that comes from anywhere: without hidden characters and secrets, without what is written for the
 * assistant, and with nothing in it that looks like a part of the prompt. Lines end with `\n`, and what is beyond 50,000
 * characters is left out.
 * @param hasSpeakers whether it is a conversation, a turn a line: then a turn is held back, not all of it
 */
export function sanitizeText(
  text: string,
  { hasSpeakers = false }: { readonly hasSpeakers?: boolean } = {},
): GuardedText {
  const cut = text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
  const visible = withoutHidden(withPlainLineBreaks(cut));
  const { text: kept, held } = hasSpeakers ? guardTurns(visible) : guardWhole(visible);
  const { text: masked, masked: secrets } = maskSecrets(kept);
  return { text: neutralise(masked, { hasSpeakers }), held, masked: secrets.length };
}
