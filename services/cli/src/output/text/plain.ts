/** Control characters other than line feed and tab: in text from elsewhere they could move the cursor or set colours. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: finding control characters is the purpose
const CONTROL = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F]/gu;

/** Text from elsewhere, safe to show on a terminal: line ends become LF, other control characters become "�". */
export function toPlainText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(CONTROL, '\uFFFD');
}

/** The same on one line: every run of white space becomes one space. */
export function toPlainLine(text: string): string {
  return toPlainText(text).replace(/\s+/gu, ' ').trim();
}
