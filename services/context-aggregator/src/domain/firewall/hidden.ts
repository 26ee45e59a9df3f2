/**
 * Invisible characters, and characters that change the direction of text: a text must not say to a model what a reader cannot
 * read. Variation selectors stay, and joiners between characters that are not Latin, where letters and emoji need them.
 */
const UNSEEN = /(?!\p{Join_Control}|\ufe0e|\ufe0f)\p{Default_Ignorable_Code_Point}|[\ufff9-\ufffb]/gu;
const NEEDLESS_JOINER =
  /(?<=[\p{Script=Latin}\p{N}\s])\p{Join_Control}|\p{Join_Control}(?=[\p{Script=Latin}\p{N}\s])/gu;
/** Control characters but for the tab and those that end a line, with the escape sequences of terminals. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be in a prompt
const CONTROL = /\u001B\[[0-?]*[ -/]*[@-~]|[\u0000-\u0008\u000E-\u001B\u007F-\u0084\u0086-\u009F]/gu;

/** A text without hidden and control characters; lone surrogates become U+FFFD. */
export function withoutHidden(text: string): string {
  return text
    .replace(CONTROL, '')
    .replace(UNSEEN, '')
    .replace(NEEDLESS_JOINER, '')
    .replace(/\p{Cs}/gu, '\ufffd');
}
