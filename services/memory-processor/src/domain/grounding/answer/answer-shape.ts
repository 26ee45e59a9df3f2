import { z } from 'zod';

/** What models call the text of a fact; ours first. */
export const TEXT_FIELDS = [
  'content',
  'fact',
  'summary',
  'memory',
  'text',
  'statement',
  'description',
  'sentence',
  'value',
  '内容',
  '事实',
  '记忆',
  '描述',
] as const;

/** What else models call the fields of a fact, in lower case without underscores; ours first. */
const ALIASES: Readonly<Record<string, readonly string[]>> = {
  importance: ['importance', 'score', 'rating', 'priority', '重要性', '重要程度', '重要度', '评分'],
  evidence: ['evidence', 'sources', 'turns', 'source', 'turn', '依据', '证据', '来源', '出处'],
  memory_type: ['memorytype', 'type', 'category', 'kind', '类型', '类别', '记忆类型'],
  emotional_valence: ['emotionalvalence', 'valence', 'sentiment', '情感', '情绪'],
  tags: ['tags', 'keywords', 'labels', '标签', '关键词'],
  occurred_at: [
    'occurredat',
    'occurred',
    'startedat',
    'start',
    'date',
    'when',
    'time',
    '时间',
    '日期',
    '发生时间',
    '开始时间',
  ],
  ended_at: ['endedat', 'ended', 'end', 'until', '结束时间'],
};

type Item = Readonly<Record<string, unknown>>;

const isItem = (value: unknown): value is Item => typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string' && value.trim() !== '';

/** The text of one part of an answer, whatever the model calls it. */
export function readText(item: Item): string | undefined {
  return TEXT_FIELDS.map((field) => toText(item[field])).find(isText);
}

/** A text that stands alone in a list, or in an object of its own. */
function toText(value: unknown): unknown {
  const [only, ...others] = Array.isArray(value) ? value : isItem(value) ? Object.values(value) : [value];
  return others.length === 0 ? only : undefined;
}

const toKey = (name: string): string => name.toLowerCase().replace(/[_\s-]/gu, '');

/** A part of an answer with its fields by the requested names; what is wrapped in one field is taken out. */
export function toOwnNames(given: Item): Item {
  const [only, ...others] = Object.values(given);
  const item = others.length === 0 && isItem(only) ? only : given;
  const byKey = new Map(Object.entries(item).map(([name, value]) => [toKey(name), value]));
  const known = Object.entries(ALIASES).map(([name, aliases]): [string, unknown] => [
    name,
    aliases.map((alias) => byKey.get(alias)).find((value) => value !== undefined && value !== null),
  ]);
  const text = TEXT_FIELDS.map((field): [string, unknown] => [field, byKey.get(field)]);
  return Object.fromEntries([...known, ...text].filter(([, value]) => value !== undefined));
}

/** Fields that describe a fact and never hold facts. */
const OWN_LISTS = new Set([
  'entities',
  'people',
  'speakers',
  ...(ALIASES['tags'] ?? []),
  ...(ALIASES['evidence'] ?? []),
]);
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
  if (OWN_LISTS.has(toKey(name))) return undefined;
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
  if (entries.every(([name]) => /^\d+$/u.test(name))) return entries.map(([, value]) => value);
  const lists = entries.flatMap(([name, value]) => {
    const list = readField(name, value, depth);
    return list === undefined ? [] : [list];
  });
  const isOne = readText(toOwnNames(answer)) !== undefined && lists.every(({ length }) => length === 0);
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
