/** What stands where something private was said. */
const PLACE = '[private]';

const TAG = /<(\/?)private>/giu;

/** Said of a message as a whole: before it, with a pause behind, or after it in brackets. */
const OFF_THE_RECORD =
  /^\s*(?:off the record|别记|别记录|不要记|不要记录|オフレコ)\s*(?:[:：,，.。!！…—–\n-]|$)|[(（[【]\s*(?:off the record|别记|别记录|不要记|不要记录|オフレコ)\s*[)）\]】]\s*$/iu;

/**
 * Takes out what a speaker marked as private: `<private>…</private>`, and a message that begins "off the record:" or `别记：`. What is
 * opened and not closed is private to the end; a message of nothing else becomes empty.
 */
export function withoutPrivate(text: string): string {
  if (OFF_THE_RECORD.test(text)) return '';
  if (!/<private>/iu.test(text)) return text;
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
  return rest.replaceAll(PLACE, '').trim() === '' ? '' : rest;
}

/** The same of a text of several messages, of which nobody knows yet where each ends: only what is opened and closed is taken out. */
function withoutPrivateSpans(text: string): string {
  // Up to the last closing mark each opening one finds its end: the time is linear.
  const end = text.toLowerCase().lastIndexOf('</private>');
  return end < 0
    ? text
    : text
        .slice(0, end)
        .concat('</private>')
        .replace(/<private>[\s\S]*?<\/private>/giu, PLACE) + text.slice(end + 10);
}

/** The same of a conversation that is kept to be read later: one text, or messages of any shape. */
export function withoutPrivateMessages(history: unknown): unknown {
  return typeof history === 'string' ? withoutPrivateSpans(history) : mapTexts(history);
}

function mapTexts(value: unknown): unknown {
  if (typeof value === 'string') return withoutPrivate(value);
  if (Array.isArray(value)) return value.map(mapTexts);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, mapTexts(one)]));
}
