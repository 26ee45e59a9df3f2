/** What stands where something private was said. */
const PLACE = '[private]';

const TAG = /<(?<closing>\/?)private(?:\s[^<>]*)?>/giu;
const OPENING = /<private(?:\s[^<>]*)?>/iu;

/** Said of a message as a whole: before it, with a pause behind, or after it in brackets. */
const OFF_THE_RECORD =
  /^\s*(?:off the record|别记|别记录|不要记|不要记录|オフレコ)\s*(?:[:：,，.。!！…—–\n-]|$)|[(（[【]\s*(?:off the record|别记|别记录|不要记|不要记录|オフレコ)\s*[)）\]】]\s*$/iu;

/** Whether what is read as the name of a speaker, since a colon follows it, is said of the message. */
export const isOffTheRecord = (speaker: string): boolean => OFF_THE_RECORD.test(`${speaker}:`);

/** Whether nothing but what was private is left. */
const isEmpty = (text: string): boolean => text.replaceAll(PLACE, '').trim() === '';

/**
 * Takes out what a speaker marked as private: `<private>…</private>`, and a message that begins "off the record:" or `别记：`. What is
 * opened and not closed is private to the end; a message of nothing else becomes empty.
 */
export function withoutPrivate(text: string): string {
  if (OFF_THE_RECORD.test(text)) return '';
  if (!OPENING.test(text)) return text;
  const kept: string[] = [];
  let depth = 0;
  let from = 0;
  for (const tag of text.matchAll(TAG)) {
    const isOpening = tag[1] === '';
    if (depth === 0) kept.push(text.slice(from, tag.index), ...(isOpening ? [PLACE] : [tag[0]]));
    depth = Math.max(0, depth + (isOpening ? 1 : -1));
    from = tag.index + tag[0].length;
  }
  const rest = [...kept, depth === 0 ? text.slice(from) : ''].join('');
  return isEmpty(rest) ? '' : rest;
}

/**
 * Takes out only what is opened and closed: of a text of several messages, of which nobody knows yet where each ends, and of a
 * document, in which the word may be a program's.
 */
export function withoutPrivateSpans(text: string): string {
  if (!OPENING.test(text)) return text;
  const open: number[] = [];
  const spans: { readonly start: number; readonly end: number }[] = [];
  for (const tag of text.matchAll(TAG)) {
    if (tag[1] === '') {
      open.push(tag.index);
      continue;
    }
    const start = open.pop();
    if (start === undefined) continue;
    // A span takes the place of those inside it, which are the last ones.
    while ((spans.at(-1)?.start ?? -1) > start) spans.pop();
    spans.push({ start, end: tag.index + tag[0].length });
  }
  const kept = spans.map(({ start }, at) => text.slice(spans[at - 1]?.end ?? 0, start) + PLACE);
  return kept.join('') + text.slice(spans.at(-1)?.end ?? 0);
}

/** The same of a conversation that is kept to be read later: one text, or messages of any shape. */
export function withoutPrivateMessages(history: unknown): unknown {
  return typeof history === 'string' ? withoutPrivateSpans(history) : mapTexts(history, withoutPrivate);
}

const isPlain = (value: unknown): value is object => {
  if (typeof value !== 'object' || value === null) return false;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
};

/**
 * Changes every text of a value of JSON; in the names of fields, which are no messages, only what is opened and closed goes.
 * @param change gets where the text stands, such as `entities.0.name`
 */
export function mapTexts(value: unknown, change: (text: string, path: string) => string, path = ''): unknown {
  const below = (key: string | number): string => (path === '' ? String(key) : `${path}.${key}`);
  if (typeof value === 'string') return change(value, path);
  if (Array.isArray(value)) return value.map((one, at) => mapTexts(one, change, below(at)));
  if (!isPlain(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [withoutPrivateSpans(key), mapTexts(one, change, below(key))]),
  );
}

/** The same of what other programs wrote, such as a document: only what is opened and closed goes. */
export const withoutPrivateIn = <T>(value: T): T => mapTexts(value, withoutPrivateSpans) as T;

/** The same of a line of an archive, which is JSON; one that is not stays as it is, for its reader to refuse. */
export function withoutPrivateInLine(line: string): string {
  if (!/private/iu.test(line)) return line;
  try {
    const record: unknown = JSON.parse(line);
    const kept = JSON.stringify(withoutPrivateIn(record));
    return kept === JSON.stringify(record) ? line : kept;
  } catch (error) {
    if (error instanceof SyntaxError) return line;
    throw error;
  }
}
