import { ContextloomError } from '@contextloom/contracts';
import { toLines } from '@contextloom/retrieval';
import { isInstruction } from '@contextloom/safety';
import { withoutHidden } from './hidden.ts';
import { neutralise } from './markup.ts';

const MOST_WORDS = 6;
/** What ends a sentence or divides its parts. A full stop after a title or an initial ends none, and neither do those of `J.R.R.`. */
const SENTENCE = /[!?;:。！？；：\n]|(?<!(?:^|[ .])(?:\p{L}|dr|mr|mrs|ms|prof|st|jr|sr|rev|hon))\.(?= |$)|,.*,|，/iu;

/**
 * Whether a text is what somebody may be called: it stands many times in a persona's prompt, so that a sentence in it would be
 * an order of the persona's author.
 */
function isName(text: string): boolean {
  if (text.split(/\s+/u).length > MOST_WORDS) return false;
  if (toLines(text).length > 1 || withoutHidden(text) !== text || neutralise(text) !== text) return false;
  return !SENTENCE.test(text.replace(/\.$/u, '')) && !/[<>{}[\]|`#]/u.test(text) && !isInstruction(text);
}

/**
 * Refuses text that is not a display name.
 * @throws ContextloomError `invalid`, naming the field and what is allowed, never the name
 */
export function requireNames(names: Readonly<Record<string, string | undefined>>): void {
  for (const [field, name] of Object.entries(names)) {
    if (name === undefined || isName(name.trim())) continue;
    throw new ContextloomError(
      'invalid',
      `${field} must be a name: at most ${MOST_WORDS} words on one line, no sentence and no markup`,
      { field },
    );
  }
}
