/** The source of an expression for one letter of the scripts that put no space between words, and of Korean. */
export const cjkCharacter = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー〆]`;
