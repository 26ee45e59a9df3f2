import type { Language } from '@contextloom/contracts';
import { readingWordsOf } from '@contextloom/languages/reading';
import type { Moment } from '@contextloom/retrieval/time';
import type { WindowTurn } from '../domain/windows/window-turns.ts';
import type { PromptMessage } from './extraction-prompt.ts';

/** What was written down, and the labels of the turns that it was drawn from. */
export interface Claim {
  readonly content: string;
  readonly evidence: readonly string[];
}

/** Claims, and what they are held against. */
export interface SupportMaterial {
  readonly claims: readonly Claim[];
  /** The turns that were read, in order. */
  readonly said: readonly WindowTurn[];
  readonly date: Moment | undefined;
}

type Role = 'evidence' | 'question' | 'before' | 'after';

/** Longer turns are shown to this length, in characters; those next to the evidence at the end that is nearer to it. */
const SHOWN: Readonly<Record<Role, number>> = { evidence: 600, question: 80, before: 30, after: 40 };

/** What is shown of a turn in a line, without half a character at a cut. */
function toShown({ text }: WindowTurn, role: Role): string {
  const line = text.replace(/\s*\n\s*/gu, ' / ');
  const most = SHOWN[role];
  if (line.length <= most) return line;
  const isEnd = role === 'question' || role === 'before';
  const part = isEnd ? `…${line.slice(-most)}` : `${line.slice(0, most)}…`;
  return part.replace(/\p{Cs}/gu, '');
}

/**
 * The turns to show: the evidence of all claims, each turn once, with the turn before it, which may ask for it, and the one after
 * it where that may take it back: its speaker goes on, or somebody answers with a few words.
 */
function toShownTurns({ claims, said }: SupportMaterial): readonly { turn: WindowTurn; role: Role }[] {
  const labels = new Set(claims.flatMap(({ evidence }) => evidence));
  const isEvidence = (at: number): boolean => labels.has(said[at]?.label ?? '');
  return said.flatMap((turn, at): { turn: WindowTurn; role: Role }[] => {
    if (isEvidence(at)) return [{ turn, role: 'evidence' }];
    if (isEvidence(at + 1)) return [{ turn, role: /[?？]/u.test(turn.text) ? 'question' : 'before' }];
    const isReply = said[at - 1]?.speaker === turn.speaker || turn.text.length <= SHOWN.after;
    return isEvidence(at - 1) && isReply ? [{ turn, role: 'after' }] : [];
  });
}

/** The messages that ask a model whether turns say what was written down of them; claims and the turns of their evidence have numbers. */
export function toSupportMessages(material: SupportMaterial, language: Language): readonly PromptMessage[] {
  const { claims, date } = material;
  const { instructions, claims: heading, turns: said } = readingWordsOf(language).support;
  const numbers = new Map<string, number>();
  let turns = 0;
  const shown = toShownTurns(material).map(({ turn, role }) => {
    const line = `${turn.speaker}: ${toShown(turn, role)}`;
    if (role !== 'evidence') return line;
    turns += 1;
    numbers.set(turn.label, turns);
    return `[${turns}] ${line}`;
  });
  const numbered = claims.map(({ content, evidence }, at) => {
    return `${at + 1} [${evidence.flatMap((label) => numbers.get(label) ?? []).join(', ')}]: ${content}`;
  });
  const head = `${said}${date === undefined ? '' : ` (${date.slice(0, 10)})`}:`;
  return [
    { role: 'system', content: instructions },
    { role: 'user', content: [head, ...shown, `${heading}:`, ...numbered].join('\n') },
  ];
}
