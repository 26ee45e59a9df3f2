import { z } from 'zod';

/** What models call the text of a fact; ours first. */
export const TEXT_FIELDS = [
  ...['content', 'fact', 'summary', 'memory', 'text', 'statement', 'description', 'sentence', 'value'],
  ...['内容', '事实', '记忆', '描述'],
] as const;

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The text of one part of an answer, whatever the model calls it. */
export function readText(item: Item): string | undefined {
  return TEXT_FIELDS.map((field) => item[field]).find(isText);
}

/** Fields that describe a fact and never hold facts. */
const OWN_LISTS = new Set(['tags', 'evidence', 'keywords', 'entities', 'people', 'speakers', 'sources', 'turns']);
/** Fields that say that there is nothing, or stand next to the facts. */
const NOTHING = /^(?:none|null|nothing|n\/a|no(?: new)? (?:facts?|memor(?:y|ies))|无|没有|暂无)[.。]?$/iu;
/** Wrappers in wrappers are followed so far. */
const MAX_DEPTH = 4;

function parseJson(text: string): unknown {
  if (!/^\s*[[{]/u.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** The facts of a field's value; undefined when it holds none and does not say so. */
function readField(name: string, value: unknown, depth: number): readonly unknown[] | undefined {
  if (OWN_LISTS.has(name)) return undefined;
  if (Array.isArray(value)) return value;
  if (isItem(value)) return readList(value, depth + 1);
  if (typeof value !== 'string') return undefined;
  if (NOTHING.test(value.trim())) return [];
  const inner = parseJson(value);
  return inner === undefined ? undefined : readList(inner, depth + 1);
}

/**
 * The facts of an answer, in whatever they are wrapped: a list, one fact, `{memories: […]}` by that or any other name, lists by
 * kind, a map by number, or the arguments of a tool call, also as text. Undefined when there is nothing that may be facts.
 */
export function readList(answer: unknown, depth = 0): readonly unknown[] | undefined {
  if (Array.isArray(answer))
    return answer.length === 1 && isWrapper(answer[0]) ? readList(answer[0], depth + 1) : answer;
  if (!isItem(answer) || depth > MAX_DEPTH) return undefined;
  const entries = Object.entries(answer);
  if (entries.length === 0 || answer['no_memory'] === true) return [];
  const lists = entries.flatMap(([name, value]) => {
    const list = readField(name, value, depth);
    return list === undefined ? [] : [list];
  });
  const isOne = readText(answer) !== undefined && lists.every(({ length }) => length === 0);
  if (isOne) return [answer];
  return lists.length === 0 ? undefined : lists.flat();
}

/** Whether the one part of a list is itself what holds the facts, as in a list of tool calls. */
function isWrapper(part: unknown): boolean {
  return isItem(part) && readText(part) === undefined && readList(part) !== undefined;
}

/** What a model answers to some turns, read with lenience; the parts are looked at one by one. */
export const answerSchema = z.unknown().transform((answer, context): unknown[] => {
  const list = readList(answer);
  if (list !== undefined) return [...list];
  context.addIssue({ code: 'custom', message: 'must be {"memories": […]}' });
  return z.NEVER;
});
