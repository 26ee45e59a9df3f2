import pairs from 'opencc-js/dict/TSCharacters';

/** Traditional Chinese characters, each with the simplified one; where several are to be had, the most common one first. */
const simplified: ReadonlyMap<string, string> = new Map(
  pairs.split('|').map((pair) => {
    const [traditional = '', simple = traditional] = pair.split(' ');
    return [traditional, simple];
  }),
);

/**
 * The simplified form of a CJK character, or itself: 貓 and 猫 are one word in two scripts, and what was written in one is
 * looked for in the other.
 * @see https://github.com/BYVoid/OpenCC the source of the table
 */
export function simplifyCharacter(character: string): string {
  return simplified.get(character) ?? character;
}

/** A text with its traditional Chinese characters simplified. */
export function simplify(text: string): string {
  return text.replace(/\p{Script=Han}/gu, simplifyCharacter);
}
