import { simplify, withPlainLineBreaks } from '@contextloom/retrieval';
import { decodePieces, reverse, rotateLetters } from './encodings.ts';
import { toLatin, withoutDigitsInWords } from './look-alikes.ts';

/** Characters that nobody sees and that split words for a pattern, and those that control terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not split a word
const UNSEEN = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb\u0000-\u0008\u000e-\u001b\u007f-\u0084\u0086-\u009f]/gu;
/** Letters one by one, as in `i g n o r e`. */
const SPACED = /(?<![\p{L}\p{N}])(?:\p{L}[ .\-_*·/|]){2,60}\p{L}(?![\p{L}\p{N}])/gu;
const BETWEEN_LETTERS = /[ .\-_*·/|]/gu;
/** Chinese is written without blanks and dots between characters. */
const BETWEEN_CHARACTERS = /(?<=\p{Script=Han})[ .\-_*·/|]{1,3}(?=\p{Script=Han})/gu;
/** Some of these words stand in every order; a text that has none after it was turned about was not hidden that way. */
const TELLTALE =
  /ignor|disregard|forget|instruct|prompt|rules|assistant|system|reveal|obey|respond|reply|answer|pretend|you are|memor/u;

/** Full-width forms, look-alike quotes and unusual blanks as plain ones, in lower case; line breaks stay. */
function toPlain(text: string): string {
  return withPlainLineBreaks(text)
    .normalize('NFKC')
    .replace(UNSEEN, '')
    .replace(/[‘’]/gu, "'")
    .replace(/[“”]/gu, '"')
    .toLowerCase();
}

/** Words of Taiwan and Hong Kong for which the mainland has others. */
const REGIONAL: Readonly<Record<string, string>> = { 回覆: '回复', 使用者: '用户', 智慧: '智能', 程式: '程序' };
const toMainland = (text: string): string =>
  simplify(text).replace(/回覆|使用者|智慧|程式/gu, (word) => REGIONAL[word] ?? word);

/** Blanks as one, and any number of empty lines as one: they carry nothing, and patterns try each of them. */
const toSingleBlanks = (text: string): string => text.replace(/[^\S\n]+/gu, ' ').replace(/\n(?: ?\n){2,}/gu, '\n\n');

function joinLetters(text: string): string {
  return text
    .split(/[^\S\n]{2,}/u)
    .map((part) => part.replace(SPACED, (letters) => letters.replace(BETWEEN_LETTERS, '')))
    .join(' ')
    .replace(BETWEEN_CHARACTERS, '');
}

function toVisible(text: string): readonly string[] {
  const plain = toPlain(text);
  const latin = toLatin(plain);
  const simple = toMainland(plain);
  const turned = [rotateLetters(plain), reverse(plain), withoutDigitsInWords(latin)].filter(
    (reading) => reading !== plain && TELLTALE.test(reading),
  );
  return [plain, latin, simple, joinLetters(latin), joinLetters(simple), ...turned].map(toSingleBlanks);
}

/**
 * A text in the ways that a model may read it, in lower case: as it stands, in Latin and in simplified letters, with spaced
 * letters as words, with the order over several lines as one, and what is encoded in it in plain words. Their lengths together are a
 * small multiple of the text's.
 */
export function toReadings(text: string): readonly string[] {
  const readings = [text, ...decodePieces(text)].flatMap(toVisible);
  return [...new Set(readings.flatMap((reading) => [reading, reading.replaceAll('\n', ' ')]))];
}
