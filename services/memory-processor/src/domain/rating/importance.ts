import type { StatementKind } from '@contextloom/languages/rating';
import { splitSentences } from '@contextloom/retrieval';
import type { Turn } from '@contextloom/transcripts/transcript';
import type { EpisodeWindow } from '../windows/episodes.ts';
import { countDetails, toDetail } from './detail.ts';
import { toMatchable } from './lexicon.ts';
import { anchor } from './scale.ts';
import { lexicons, type Rated, rateSentence, toAnswered } from './statements.ts';

/**
 * How a sentence feels, −1 (despair) to 1 (joy): the mean of its feeling words, a negated one turned round at half its
 * strength; undefined when it has none.
 */
export function rateValence(sentence: string): number | undefined {
  const text = toMatchable(sentence);
  const weights = lexicons.flatMap(({ feelings, negatedEnd }) =>
    feelings.flatMap(({ pattern, weight }) =>
      Array.from(text.matchAll(pattern), ({ index }) =>
        negatedEnd.test(text.slice(Math.max(0, index - 24), index)) ? -weight / 2 : weight,
      ),
    ),
  );
  if (weights.length === 0) return undefined;
  return weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
}

/** One sentence, rated. */
export interface Statement extends Rated {
  readonly speaker: string;
  readonly text: string;
  /** −1 to 1; undefined when no feeling is expressed. */
  readonly valence: number | undefined;
}

/** What the sentences of a window come to. */
export interface WindowRating {
  /** 1 to 10, one decimal. */
  readonly importance: number;
  /** −1 to 1, two decimals; undefined when nobody tells a feeling. */
  readonly valence: number | undefined;
  /** How many statements of each kind there are. */
  readonly kinds: ReadonlyMap<StatementKind, number>;
  /** The sentence that weighs most, the first of its weight; undefined in a window without words. */
  readonly strongest: Statement | undefined;
}

/** What a window is rated with besides itself. */
export interface RatingContext {
  /** Names that may be subjects of a sentence. */
  readonly speakers: readonly string[];
  /** The turn before the window's first: a yes may answer it. */
  readonly before?: Turn | undefined;
  /** Weights of what is counted; those of the code by default. */
  readonly weights?: readonly number[];
}

/** A photo's caption, as the LoCoMo reader writes it: nobody said it. */
const CAPTION = /\s*\[photo: [^\]]*\]$/u;

/** A bare yes says what it was asked: `Are you allergic to nuts?` – `Yes.` */
function rateYes(turn: Turn, before: Turn | undefined, speakers: readonly string[]): Rated | undefined {
  if (before === undefined || before.speaker === turn.speaker) return undefined;
  const statement = toAnswered(splitSentences(before.text).at(-1) ?? '', turn.text);
  if (statement === undefined) return undefined;
  const rated = rateSentence(statement, speakers);
  return rated.kind === undefined ? undefined : { ...rated, importance: rated.importance - 1 };
}

/** How far details and further statements may lift: what passes never as far as what lasts, what lasts to no further anchor. */
function toCeiling(importance: number): number {
  return importance < anchor.goal ? anchor.lasting - 0.1 : Math.min(anchor.life, Math.floor(importance) + 0.9);
}

/** Lifts importance by a share, 0 to 1, of the way to its ceiling. */
function lift(importance: number, share: number): number {
  return importance <= anchor.greeting ? importance : importance + (toCeiling(importance) - importance) * share;
}

function rateTurn(turn: Turn, { speakers, before, weights }: RatingContext): readonly Statement[] {
  const others = speakers.filter((speaker) => speaker !== turn.speaker);
  const isAssistant = turn.voice === 'assistant';
  const said = turn.text.replace(CAPTION, '');
  const detail = toDetail(countDetails(said), weights);
  return splitSentences(said).map((sentence, index) => {
    const own = rateSentence(sentence, others);
    const answer = index === 0 && !isAssistant ? rateYes(turn, before, others) : undefined;
    const rated = answer !== undefined && answer.importance > own.importance ? answer : own;
    return {
      kind: isAssistant ? undefined : rated.kind,
      importance: isAssistant ? Math.min(anchor.passing, rated.importance) : lift(rated.importance, detail),
      valence: isAssistant ? undefined : rateValence(sentence),
      speaker: turn.speaker,
      text: sentence.trim(),
    };
  });
}

/** Further statements lift a window too, the first by a fifth of the way. */
function toImportance(statements: readonly Statement[], strongest: number): number {
  const further = Math.max(0, statements.filter(({ importance }) => importance >= anchor.ordinary).length - 1);
  return Math.round(lift(strongest, further / (further + 4)) * 10) / 10;
}

function toValence(statements: readonly Statement[]): number | undefined {
  const felt = statements.flatMap(({ valence }) => valence ?? []);
  if (felt.length === 0) return undefined;
  return Math.round((felt.reduce((sum, valence) => sum + valence, 0) / felt.length) * 100) / 100;
}

/** Rates a window by the kinds of statement that its sentences make; see {@link anchor} for the scale. */
export function rateWindow(window: Pick<EpisodeWindow, 'turns'>, context: RatingContext): WindowRating {
  const statements = window.turns.flatMap((turn, index) =>
    rateTurn(turn, { ...context, before: index === 0 ? context.before : window.turns[index - 1] }),
  );
  const kinds = new Map<StatementKind, number>();
  for (const { kind } of statements) if (kind !== undefined) kinds.set(kind, (kinds.get(kind) ?? 0) + 1);
  const strongest = statements.reduce<Statement | undefined>(
    (best, statement) => (best === undefined || statement.importance > best.importance ? statement : best),
    undefined,
  );
  return {
    importance: toImportance(statements, strongest?.importance ?? anchor.greeting),
    valence: toValence(statements),
    kinds,
    strongest,
  };
}
