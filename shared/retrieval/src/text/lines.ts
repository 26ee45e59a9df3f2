/** Every character that some reader takes for the end of a line; Python and others end one at U+001C to U+001E too. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these end lines
const LINE_BREAK = /\r\n|[\n\r\v\f\u001c-\u001e\u0085\u2028\u2029]/gu;

/** A text with every line ending turned into `\n`. */
export function withPlainLineBreaks(text: string): string {
  return text.replace(LINE_BREAK, '\n');
}

/** The lines of a text, as the most generous reader sees them. */
export function toLines(text: string): readonly string[] {
  return withPlainLineBreaks(text).split('\n');
}
