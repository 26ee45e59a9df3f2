/** What models write around JSON: reasoning between tags, which may hold braces of its own. */
const REASONING = /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi;

/** All looking together walks over a text at most so many times: each opening brace may take a walk to the end. */
const MAX_WALKS = 32;
/** Deeper JSON is no answer to anything, and what reads it level by level would run out of stack. */
const MAX_DEPTH = 64;

/** Where the JSON value that begins at `from` ends; undefined when it does not, or is too deep. */
function findEnd(text: string, from: number): number | undefined {
  let depth = 0;
  let isString = false;
  for (let at = from; at < text.length; at += 1) {
    const character = text[at];
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') {
      depth += 1;
      if (depth > MAX_DEPTH) return undefined;
    } else if (character === '}' || character === ']') {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  return undefined;
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Finds the JSON object or list in a model's answer: bare, in a code fence, or among prose and reasoning. The longest one
 * counts, since prose may hold small ones as examples; `undefined` when there is none that is whole.
 */
export function findJson(answer: string): { readonly value: unknown } | undefined {
  const text = answer.replace(REASONING, ' ').trim();
  const isNested = text.startsWith('{') || text.startsWith('[');
  const whole = isNested && findEnd(text, 0) === undefined ? undefined : parse(text);
  if (whole !== undefined) return whole;
  let best: { readonly value: unknown } | undefined;
  let longest = 0;
  for (let at = 0, walked = 0; at < text.length && walked < MAX_WALKS * text.length; at += 1) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = findEnd(text, at);
    walked += (end ?? text.length) - at;
    const found = end === undefined ? undefined : parse(text.slice(at, end));
    if (end === undefined || found === undefined) continue;
    if (end - at > longest) [best, longest] = [found, end - at];
    at = end - 1;
  }
  return best;
}
