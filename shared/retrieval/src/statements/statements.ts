import { projectPatterns as patterns, withoutReason } from './patterns.ts';

/** What a sentence about a project is. */
export type StatementKind = 'rule' | 'decision' | 'open' | 'other';

/** A sentence, or the part of one that is of one kind. */
export interface Statement {
  readonly kind: StatementKind;
  readonly text: string;
}

/** How much a rule is believed: what a person demands, or what is one in whoever's words. */
export type RuleWords = 'demanded' | 'strict';

/** Where one clause may end and the next begins. Fixed marks: linear. */
const BORDER = /[,;，；、—]\s*|\s+(?:and|but|so)\s+/giu;

/** The part of a clause that says what it is: without the word that joins it to the one before. */
function withoutJoint(clause: string): string {
  const joint = patterns.joints.exec(clause)?.[0] ?? '';
  return clause.slice(joint.length).replace(/^[\s,，]+/u, '');
}

function isRule(clause: string, words: RuleWords): boolean {
  const pattern = words === 'demanded' ? patterns.rules : patterns.strictRules;
  return pattern.test(clause) || patterns.commands.test(clause);
}

function toKind(clause: string, words: RuleWords): StatementKind {
  const text = withoutJoint(clause.trim());
  if (patterns.startsReason.test(text)) return 'other';
  if (isRule(text, words)) return 'rule';
  if (patterns.decisions.test(text) || patterns.uses.test(text)) return 'decision';
  return 'other';
}

/** The kind of a sentence as a whole. A rule goes before anything else that stands in it. */
function toSentenceKind(sentence: string, words: RuleWords): StatementKind {
  const text = withoutReason(withoutJoint(sentence.trim()));
  if (isRule(text, words)) return 'rule';
  if (patterns.openEnds.test(text)) return 'open';
  return patterns.decisions.test(text) ? 'decision' : 'other';
}

/** Clauses with what kind each is; one that says nothing by itself belongs to the one before. */
function toClauses(sentence: string, words: RuleWords): readonly Statement[] {
  const ends = [...sentence.matchAll(BORDER)].map(({ index, 0: mark }) => ({ at: index, next: index + mark.length }));
  const clauses: { kind: StatementKind; start: number; end: number }[] = [];
  let start = 0;
  for (const { at, next } of [...ends, { at: sentence.length, next: sentence.length }]) {
    const kind = toKind(sentence.slice(start, at), words);
    const last = clauses.at(-1);
    if (last !== undefined && (kind === 'other' || kind === last.kind || last.kind === 'other')) {
      last.end = at;
      if (last.kind === 'other') last.kind = kind;
    } else clauses.push({ kind, start, end: at });
    start = next;
  }
  return clauses.map((clause) => ({ kind: clause.kind, text: sentence.slice(clause.start, clause.end).trim() }));
}

/**
 * What one sentence states: a rule and a decision in it are two statements, since one may be replaced while the other holds.
 * @param words `strict` for what nobody demanded: only words that can be nothing but a rule make one
 */
export function splitStatement(sentence: string, words: RuleWords): readonly Statement[] {
  const whole = { kind: toSentenceKind(sentence, words), text: sentence.trim() };
  if (whole.kind !== 'rule') return [whole];
  const clauses = toClauses(sentence, words);
  const kinds = new Set(clauses.map(({ kind }) => kind));
  if (!kinds.has('rule') || !kinds.has('decision')) return [whole];
  return clauses.map(({ kind, text }) => ({ kind, text: withoutJoint(text) }));
}
