import { RE2JS } from 're2js';
import { type Finding, MASK } from '../secrets/finding.ts';

/** Longest expression, in UTF-16 units. */
const MAX_LENGTH = 1_000;
/** Most instructions of a compiled expression: what looking for its places costs grows with them. */
const MAX_PROGRAM = 100;
/** Longest match, in UTF-16 units; a match stays within a line. */
const LONGEST_MATCH = 512;
/** Most matches that are told apart in a stretch of text: looking for one more may read all of it again. */
const MAX_MATCHES = 32;
/** So many steps are spent on telling where in a text the matches are; from then on the whole stretch goes. */
const MAX_STEPS = 1_000_000;

/** An expression that finds its matches in time linear to a text's length, whatever it is and whatever the text. */
export interface Expression {
  readonly find: (text: string) => readonly Finding[];
}

const NO_EXPRESSION = "must be an expression in RE2's syntax, which has no look-around and no references back";

/** Compiles an expression, or says what is wrong with it. */
function compile(source: string): RE2JS | string {
  if (source.length > MAX_LENGTH) return `must be at most ${MAX_LENGTH} characters`;
  let compiled: RE2JS;
  try {
    compiled = RE2JS.compile(source, RE2JS.CASE_INSENSITIVE);
  } catch {
    return NO_EXPRESSION;
  }
  if (compiled.programSize() > MAX_PROGRAM) return 'is too large: write several shorter ones';
  return compiled.test('') ? 'must not match an empty text' : compiled;
}

/** What is wrong with an expression; undefined where nothing is. */
export function findExpressionProblem(source: string): string | undefined {
  const compiled = compile(source);
  return typeof compiled === 'string' ? compiled : undefined;
}

/**
 * Builds what finds an expression in RE2's syntax (github.com/google/re2/wiki/Syntax), which has no backtracking; case does not matter.
 * @throws Error for one that {@link findExpressionProblem} has something to say of
 */
export function createExpression(source: string): Expression {
  const compiled = compile(source);
  if (typeof compiled === 'string') throw new Error(`the expression ${source} ${compiled}`);
  return { find: (text) => findIn(text, compiled) };
}

/** Stretches of a text in which every match lies whole: lines, and of long ones overlapping parts. */
function* toStretches(text: string): Generator<{ readonly start: number; readonly end: number }> {
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf('\n', start);
    const end = newline === -1 ? text.length : newline;
    for (let from = start; from < end; from += LONGEST_MATCH) {
      yield { start: from, end: Math.min(end, from + 2 * LONGEST_MATCH) };
      if (from + 2 * LONGEST_MATCH >= end) break;
    }
    start = end + 1;
  }
}

function findIn(text: string, expression: RE2JS): readonly Finding[] {
  // A mark is no words of the text: masking a masked text changes nothing.
  const plain = text.replace(MASK, ({ length }) => '\n'.repeat(length));
  if (!expression.test(plain)) return [];
  const findings: Finding[] = [];
  let steps = 0;
  for (const stretch of toStretches(plain)) {
    const words = plain.slice(stretch.start, stretch.end);
    if (!expression.test(words)) continue;
    const matches = steps > MAX_STEPS ? undefined : locate(words, expression);
    steps += words.length * expression.programSize() * ((matches?.length ?? MAX_MATCHES) + 1);
    const places = matches ?? [{ start: 0, end: words.length }];
    const at = ({ start, end }: Place): Finding => ({
      start: stretch.start + start,
      end: stretch.start + end,
      kind: 'expression',
    });
    findings.push(...places.map(at));
  }
  return findings;
}

interface Place {
  readonly start: number;
  readonly end: number;
}

/** Where an expression matches; undefined where it matches too often to tell. */
function locate(words: string, expression: RE2JS): readonly Place[] | undefined {
  const places: Place[] = [];
  const matcher = expression.matcher(words);
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) places.push({ start, end });
    if (places.length > MAX_MATCHES) return undefined;
  }
  return places;
}
