import { JSONRepairError, jsonrepair } from 'jsonrepair';

/** What models write around JSON: reasoning between tags, which may hold braces of its own. */
const REASONING = /<think(?:ing)?>[\s\S]*?<\/think(?:ing)?>/gi;

/** How often the search walks over a text in all: each opening brace may take a walk to the end. */
const MAX_WALKS = 32;
/** Deeper JSON is no answer to anything, and what reads it level by level would run out of stack. */
const MAX_DEPTH = 64;
/** Longer answers are looked through by the bounded walks alone. */
const MAX_CUT_OFF = 1_000_000;

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

/** Whether the first object or list of a text never ends, so that whole ones inside of it are parts alone. */
export function isCutOff(answer: string): boolean {
  const text = answer
    .replace(REASONING, ' ')
    .trim()
    .replace(/^```\w*\s*/u, '');
  return /^[[{]/u.test(text) && text.length < MAX_CUT_OFF && findEnd(text, 0) === undefined;
}

/** A value in the text, and its position. */
interface Found {
  readonly value: unknown;
  readonly from: number;
  readonly to: number;
}

/** Every complete object and list of a text that is not inside another. */
function findAll(text: string): readonly Found[] {
  const found: Found[] = [];
  for (let at = 0, walked = 0; at < text.length && walked < MAX_WALKS * text.length; at += 1) {
    if (text[at] !== '{' && text[at] !== '[') continue;
    const end = findEnd(text, at);
    walked += (end ?? text.length) - at;
    const parsed = end === undefined ? undefined : parse(text.slice(at, end));
    if (end === undefined || parsed === undefined) continue;
    found.push({ ...parsed, from: at, to: end });
    at = end - 1;
  }
  return found;
}

/** Objects without a word between them are one list: some models write one object a line, numbered, or each in a fence. */
function toRow(text: string, found: readonly Found[]): { readonly value: unknown } | undefined {
  const between = found.slice(1).map(({ from }, at) => text.slice(found[at]?.to ?? from, from));
  const isRow = found.length > 1 && between.every((gap) => /^[\s,;.\d)*•-]*$/u.test(gap.replace(/```\w*/gu, '')));
  const areObjects = found.every(({ value }) => typeof value === 'object' && !Array.isArray(value));
  return isRow && areObjects ? { value: found.map(({ value }) => value) } : undefined;
}

const SYNTAX: Readonly<Record<string, string>> = { '：': ':', '，': ',', '、': ',', '+': '' };
const CLOSING: Readonly<Record<string, string>> = { '"': '"', '“': '”', '”': '”' };

/** Replaces Chinese punctuation and signs before numbers in the JSON of a model; strings stay as they are. */
function toPlainSyntax(json: string): string {
  let [plain, closing] = ['', ''];
  for (let at = 0; at < json.length; at += 1) {
    const character = json[at] ?? '';
    if (closing === '') {
      closing = CLOSING[character] ?? '';
      plain += SYNTAX[character] ?? character;
    } else {
      plain += character;
      if (character === closing) closing = '';
      if (character === '\\') {
        at += 1;
        plain += json[at] ?? '';
      }
    }
  }
  return plain;
}

/** How often JSON is looked for in a string of JSON. */
const MAX_WRAPS = 3;

/** JSON that a model wrote as a string of JSON, or with its quotes escaped as in one; other text as it is. */
export function unwrapJson(answer: string): string {
  let text = answer.trim();
  for (let wraps = 0; wraps < MAX_WRAPS; wraps += 1) {
    const isString = text.startsWith('"') && text.endsWith('"');
    if (!isString && !/^[[{]\s*\\"/u.test(text)) return text;
    const value = parse(isString ? text : `"${text.replaceAll('\n', ' ')}"`)?.value;
    if (typeof value !== 'string') return text;
    text = value.trim();
  }
  return text;
}

/** JSON with the mistakes of a hand: single quotes, trailing commas, comments, `None`, line ends in strings. */
function repair(text: string): { readonly value: unknown } | undefined {
  const start = text.search(/[[{]/u);
  const end = start < 0 ? undefined : findEnd(text, start);
  if (end === undefined) return undefined;
  const json = text.slice(start, end);
  try {
    // What needs no mending is left alone: jsonrepair takes a brace in a string of right JSON for a mistake.
    return parse(json) ?? parse(jsonrepair(toPlainSyntax(json)));
  } catch (error) {
    if (error instanceof JSONRepairError) return undefined;
    throw error;
  }
}

/**
 * What the JSON in a model's answer may be, the likeliest first: the whole answer; objects in a row; the longest object or list
 * among prose and reasoning, which may hold small ones as examples; what is left when mistakes are mended.
 */
export function findJsonCandidates(answer: string): readonly { readonly value: unknown }[] {
  const answered = answer.replace(REASONING, ' ').trim();
  // A model that forgets to end its reasoning answers inside of it.
  const text = /[[{]/u.test(answered) ? answered : answer.trim();
  const isNested = text.startsWith('{') || text.startsWith('[');
  const whole = isNested && findEnd(text, 0) === undefined ? undefined : parse(text);
  if (whole !== undefined) return [whole];
  const found = findAll(text);
  const longest = found.reduce<Found | undefined>(
    (best, one) => (best === undefined || one.to - one.from > best.to - best.from ? one : best),
    undefined,
  );
  const mended = repair(text);
  // In JSON with a mistake, what is whole are parts; around JSON with a mistake in prose stands no other.
  const rest = isJsonAlone(text) ? [mended, longest] : [longest, mended];
  return [toRow(text, found), ...rest].flatMap((one) => (one === undefined ? [] : [{ value: one.value }]));
}

/** Whether an answer begins as JSON, with or without a code fence. */
function isJsonAlone(text: string): boolean {
  return /^(?:```\w*\s*)?[[{]/u.test(text);
}

/**
 * Finds the JSON object or list in a model's answer: bare, in a code fence, or among prose and reasoning; `undefined` when there
 * is none that is whole.
 */
export function findJson(answer: string): { readonly value: unknown } | undefined {
  return findJsonCandidates(answer)[0];
}

/**
 * What is whole of JSON that was cut off: the objects that stand in a list and are closed, inside of what they stand in.
 * Undefined when nothing is.
 */
export function findWholeParts(answer: string): { readonly value: unknown } | undefined {
  const text = answer.replace(REASONING, ' ');
  const start = text.search(/[[{]/u);
  if (start < 0) return undefined;
  const open: string[] = [];
  let whole: { readonly end: number; readonly open: readonly string[] } | undefined;
  let isString = false;
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (isString) {
      if (character === '\\') at += 1;
      else if (character === '"') isString = false;
    } else if (character === '"') isString = true;
    else if (character === '{' || character === '[') {
      if (open.length >= MAX_DEPTH) return undefined;
      open.push(character);
    } else if (character === '}' || character === ']') {
      open.pop();
      if (character === '}' && open.at(-1) === '[') whole = { end: at + 1, open: [...open] };
      if (open.length === 0) break;
    }
  }
  if (whole === undefined) return undefined;
  const closing = whole.open.map((bracket) => (bracket === '{' ? '}' : ']')).reverse();
  return parse(text.slice(start, whole.end) + closing.join(''));
}
