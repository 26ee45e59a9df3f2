import type { StanceSource } from './person.ts';
import { KIN_OPPOSITES, OPPOSITES } from './stance-words.ts';

/** Whether a sentence has the opposite of what the fact tells, and what is said around it has nothing of the fact's own word for it. */
function hasOpposite(opposites: typeof OPPOSITES, content: string, sentence: string, around: string): boolean {
  return opposites.some(([one, other]) =>
    [
      [one, other],
      [other, one],
    ].some(
      ([own, contrary]) =>
        own?.test(content) === true &&
        contrary?.test(content) === false &&
        !own.test(around) &&
        contrary.test(sentence),
    ),
  );
}

/** Whether the sentence tells the opposite of the fact; of kin, the turns around it may name the one whom the fact tells of. */
export function tellsOpposite(content: string, sentence: string, { before, evidence, after }: StanceSource): boolean {
  const around = [...before, ...evidence, ...after].map(({ text }) => text).join('\n');
  return hasOpposite(OPPOSITES, content, sentence, sentence) || hasOpposite(KIN_OPPOSITES, content, sentence, around);
}
