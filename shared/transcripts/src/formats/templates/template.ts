/** Sentences of a program by the reason for which they are left out, in the languages that it speaks. */
type Templates = Readonly<Record<string, readonly string[]>>;

/** What may stand in a slot of a template. */
const SLOTS: Readonly<Record<string, string>> = {
  name: String.raw`[^\n.,:;!?。，：；！？"]{1,60}`,
  title: String.raw`[^\n"]{1,200}`,
  file: String.raw`[^\n<>:]{1,150}\.\w{2,5}`,
  hash: String.raw`[0-9a-f]{32,64}\.\w{2,5}`,
  number: String.raw`\d{1,9}`,
  time: String.raw`\d{1,2}:\d{2}(?::\d{2})?`,
  duration: String.raw`\d{1,4}\s?\p{L}{1,12}\.?(?:,?\s\d{1,4}\s?\p{L}{1,12}\.?){0,3}`,
  minutes: String.raw`\d[\d.,]{0,12}`,
  place: String.raw`-?\d{1,3}\.\d{1,15},-?\d{1,3}\.\d{1,15}`,
  url: String.raw`(?:https?://|/)[^\s()]{0,1000}`,
  emoji: String.raw`(?:\p{Extended_Pictographic}|[\p{Emoji_Modifier}\u200d\ufe0f\u{1f1e6}-\u{1f1ff}]){1,12}`,
};
/** A longer line is no template. */
const MAX_LINE = 1_400;

/** Quotation marks of all languages count as one; the first letter may be a capital. */
const toKey = (line: string): string => {
  const plain = line.replace(/[“”„«»「」]/gu, '"');
  return plain.slice(0, 1).toLowerCase() + plain.slice(1);
};

const toLiteral = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/gu, '\\$&');

function toExpression(template: string): RegExp {
  const parts = toKey(template).split(/\{(\w+)\}/u);
  return new RegExp(`^${parts.map((part, at) => (at % 2 === 0 ? toLiteral(part) : SLOTS[part])).join('')}$`, 'u');
}

/**
 * Finds the reason for which a line is left out: it is, from its beginning to its end, a sentence that the program writes, with nothing but
 * names, numbers and the like in its slots (`{name} joined.`). Undefined of all other lines: these are words.
 */
export function createTemplates(templates: Templates): (line: string) => string | undefined {
  const whole = new Map<string, string>();
  const open: { readonly expression: RegExp; readonly reason: string }[] = [];
  for (const [reason, lines] of Object.entries(templates)) {
    for (const line of lines) {
      if (/\{\w+\}/u.test(line)) open.push({ expression: toExpression(line), reason });
      else whole.set(toKey(line), reason);
    }
  }
  return (line) => {
    if (line.length > MAX_LINE || line.includes('\n')) return undefined;
    const key = toKey(line);
    return whole.get(key) ?? open.find(({ expression }) => expression.test(key))?.reason;
  };
}
