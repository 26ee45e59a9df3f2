import { splitSentences } from '@contextloom/retrieval';
import {
  type Compared,
  isReplacedBy,
  projectPatterns as patterns,
  type StatementKind,
  sessionMarks,
  splitStatement,
  toCompared,
} from '@contextloom/retrieval/statements';
import { isInstruction, isTakeover } from '@contextloom/safety';
import type { Memory } from '../memory.ts';

/** What a memory says, sentence by sentence. */
export interface BriefStatement {
  readonly memory: Memory;
  readonly kind: StatementKind;
  readonly text: string;
  readonly compared: Compared;
}

/** How much of a memory is read for a brief, in UTF-16 code units. */
const READ_LENGTH = 20_000;
/** What Markdown puts before the words of a line. */
const LEAD_IN = /^[\s#>*+|-]+/u;

const marks = Object.values(sessionMarks);

/** What came of a session, where a memory is the outcome of one. */
export function findOutcome(content: string): string | undefined {
  const mark = marks.find(({ request }) => content.startsWith(request));
  const at = mark === undefined ? -1 : content.indexOf(`\n${mark.outcome}`);
  return mark === undefined || at < 0 ? undefined : content.slice(at + 1 + mark.outcome.length);
}

function toSentences(content: string): readonly string[] {
  return content
    .slice(0, READ_LENGTH)
    .split('\n')
    .filter((line) => !/^\s*(?:#|```|~~~)/u.test(line))
    .flatMap((line) => splitSentences(line.replace(LEAD_IN, '')))
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '' && !isTakeover(sentence));
}

/** What a sentence is that no word of its own tells: that is what its memory is about. */
const kindsOfTypes: Readonly<Record<Memory['contentType'], StatementKind>> = {
  requirement: 'rule',
  plan: 'open',
  insight: 'decision',
  development: 'other',
  testing: 'other',
};

function toStatements(memory: Memory): readonly BriefStatement[] {
  const { content, contentType } = memory;
  const outcome = findOutcome(content);
  const words = contentType === 'requirement' ? 'demanded' : 'strict';
  // What was asked and what came of it is told in notes of its own where it matters: here it only closes what is open.
  const read = outcome ?? content;
  const said = toSentences(read).flatMap((sentence) =>
    outcome === undefined ? splitStatement(sentence, words) : [{ kind: 'other' as const, text: sentence }],
  );
  const isTold = said.some(({ kind }) => kind !== 'other');
  // An order to whoever works on the project is what a rule is; anywhere else it is none of the project's business.
  const harmless = said.filter(({ kind, text }) => kind === 'rule' || !isInstruction(text));
  return harmless.map(({ kind, text }, at) => {
    const isLead = kind === 'other' && at === 0 && outcome === undefined;
    const own = isLead && (contentType !== 'requirement' || !isTold) ? kindsOfTypes[contentType] : kind;
    return { memory, kind: own, text, compared: toCompared(own, text) };
  });
}

/** Most places of a word that are looked at, the latest first: what is compared stays linear. */
const MOST_PLACES = 500;

/** Where words stand in statements, from the newest on. */
function createPlaces() {
  const places = new Map<string, number[]>();
  return {
    add: (words: Iterable<string>, at: number): void => {
      for (const word of words) {
        const known = places.get(word);
        if (known === undefined) places.set(word, [at]);
        else if (known.length < MOST_PLACES) known.push(at);
      }
    },
    of: (word: string): readonly number[] => places.get(word) ?? [],
  };
}

/** The words of a statement of which another one about the same thing has at least one: the rarest, a little more than half. */
function toRare({ words }: Compared, countOf: (word: string) => number): readonly string[] {
  const sorted = [...words].sort((one, other) => countOf(one) - countOf(other));
  return sorted.slice(0, Math.floor(sorted.length / 2) + 1);
}

/**
 * What the memories of a project say and no later one has replaced, the newest first.
 * @param memories the newest first
 */
export function findCurrent(memories: readonly Memory[]): readonly BriefStatement[] {
  const all = memories.flatMap((memory) => toStatements(memory));
  const [said, replaced] = [createPlaces(), createPlaces()];
  const current: BriefStatement[] = [];
  for (const [at, statement] of all.entries()) {
    const { compared, kind, memory } = statement;
    const later = new Set([
      ...toRare(compared, (word) => said.of(word).length).flatMap((word) => said.of(word)),
      ...[...compared.words].flatMap((word) => replaced.of(word)),
    ]);
    const isReplaced = [...later].some((place) => {
      const other = all[place];
      return other !== undefined && other.memory !== memory && isReplacedBy(compared, other.compared);
    });
    said.add(compared.words, at);
    replaced.add(
      compared.replaced.flatMap((name) => [...name]),
      at,
    );
    if (kind !== 'other' && !isReplaced) current.push(statement);
  }
  return current;
}

/** Whether a memory tells what was done last. */
export const isState = ({ contentType, content }: Memory): boolean =>
  contentType === 'development' || (contentType === 'testing' && !patterns.rules.test(content));
