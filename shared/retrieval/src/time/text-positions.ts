import { simplifyCharacter } from '../text/chinese/simplify.ts';

/** What stands where something was read: no pattern matches it, and no match goes over it. */
const READ = '\u0000';

const FULL_WIDTH_SHIFT = 0xfee0;

/** A text as the readers want it, of the same length: Chinese simplified, full-width digits and signs as the plain ones. */
export function toReadable(text: string): string {
  return text
    .replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - FULL_WIDTH_SHIFT))
    .replace(/\p{Script=Han}/gu, (written) => {
      const simplified = simplifyCharacter(written);
      return simplified.length === written.length ? simplified : written;
    });
}

/** What a reader made of a place in a text: where it begins, in UTF-16 code units, and the text there. */
export type At<T> = T & { readonly index: number; readonly text: string };

/** A pattern (global), and what its groups mean; undefined when they mean nothing after all. */
export type Reader<T> = readonly [pattern: RegExp, read: (groups: readonly (string | undefined)[]) => T | undefined];

/** Reads all that the readers find; the first that matches a place has it. `rest` is the text without what was read. */
export function readAll<T extends object>(
  text: string,
  readers: readonly Reader<T>[],
): { readonly found: readonly At<T>[]; readonly rest: string } {
  const found: At<T>[] = [];
  let rest = text;
  for (const [pattern, read] of readers) {
    rest = rest.replace(pattern, (matched, ...others) => {
      const index = others.findIndex((part) => typeof part === 'number');
      const meant = read(others.slice(0, index));
      if (meant === undefined) return matched;
      found.push({ ...meant, index: Number(others[index]), text: matched });
      return READ.repeat(matched.length);
    });
  }
  return { found, rest };
}
