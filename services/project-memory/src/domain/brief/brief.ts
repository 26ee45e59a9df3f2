import { splitSentences } from '@contextloom/retrieval';
import type { BriefKind } from '@contextloom/retrieval/statements';
import type { Memory } from '../memory.ts';
import { type BriefStatement, findCurrent, findOutcome, isState } from './statements.ts';

/** One line of a brief. */
export interface BriefItem {
  readonly kind: BriefKind;
  /** The beginning of the memory's id, which `get` takes for the whole. */
  readonly id: string;
  /** Unix seconds. */
  readonly ts: number;
  readonly text: string;
  /** When its memory is forgotten, in epoch milliseconds; absent where it has no end. */
  readonly endsAt?: number;
}

/** What a session on a project should know when it starts. */
export interface Brief {
  readonly items: readonly BriefItem[];
  /** How many statements of each kind there are. */
  readonly counts: Readonly<Record<BriefKind, number>>;
}

/** Longest text of a line, in UTF-16 code units: a rule is shown whole where it is no essay. */
const LENGTHS: Readonly<Record<BriefKind, number>> = { rule: 400, decision: 200, open: 160, state: 240 };
/** Most lines of a kind: more than any brief has room for. */
const MOST: Readonly<Record<BriefKind, number>> = { rule: 100, decision: 40, open: 20, state: 1 };
/** How much of an id is shown: enough that two of one owner rarely begin alike. */
const ID_LENGTH = 'mem_'.length + 8;

const toLine = (text: string): string => text.replace(/[\s\p{Cc}\p{Cs}]+/gu, ' ').trim();

function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  return `${text.slice(0, length - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

const toItem = (kind: BriefKind, { id, ts, endsAt }: Memory, text: string): BriefItem => ({
  kind,
  id: id.slice(0, ID_LENGTH),
  ts,
  text: cut(toLine(text), LENGTHS[kind]),
  ...(endsAt !== undefined && { endsAt }),
});

/** What was done last, without the sentences that are shown as statements of their own. */
function findLast(
  memories: readonly Memory[],
  shown: ReadonlySet<string>,
): { readonly memory: Memory; readonly text: string } | undefined {
  const memory = memories.find(isState);
  if (memory === undefined) return undefined;
  const sentences = splitSentences(findOutcome(memory.content) ?? memory.content).map((sentence) => sentence.trim());
  const text = sentences.filter((sentence) => !shown.has(sentence)).join(' ');
  return text.trim() === '' ? undefined : { memory, text };
}

/** Builds the brief of a project. @param memories all there are, the newest first */
export function createBrief(memories: readonly Memory[]): Brief {
  const current = findCurrent(memories);
  const ofKind = (kind: BriefStatement['kind']): readonly BriefStatement[] => {
    const texts = new Set<string>();
    return current.filter((one) => one.kind === kind && texts.size < texts.add(one.text.toLowerCase()).size);
  };
  const [rules, decisions, open] = [ofKind('rule'), ofKind('decision'), ofKind('open')];
  const last = findLast(memories, new Set(current.map(({ text }) => text)));
  const tell = (kind: 'rule' | 'decision' | 'open', from: readonly BriefStatement[]): readonly BriefItem[] =>
    from.slice(0, MOST[kind]).map(({ memory, text }) => toItem(kind, memory, text));
  return {
    items: [
      ...tell('rule', rules),
      ...tell('decision', decisions),
      ...tell('open', open),
      ...(last === undefined ? [] : [toItem('state', last.memory, last.text)]),
    ],
    counts: { rule: rules.length, decision: decisions.length, open: open.length, state: last === undefined ? 0 : 1 },
  };
}
