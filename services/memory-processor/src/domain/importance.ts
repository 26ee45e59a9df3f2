import { splitSentences } from '@contextloom/retrieval';
import type { EpisodeWindow } from './episodes.ts';
import { chineseLanguage } from './rules/chinese.ts';
import { englishLanguage } from './rules/english.ts';
import type { Language } from './rules/language.ts';
import { anchor, type Rated, rateClause, type StatementKind } from './rules/rule.ts';
import { rateValence } from './rules/valence.ts';
import type { Turn } from './transcript.ts';

/** One sentence, rated. */
export interface Statement extends Rated {
  readonly speaker: string;
  readonly text: string;
  /** −1 to 1; undefined when no feeling is told. */
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
}

/** A photo's caption, as the LoCoMo reader writes it: nobody said it. */
const CAPTION = /\s*\[photo: [^\]]*\]$/u;

function toLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? chineseLanguage : englishLanguage;
}

/** Rates one sentence of a person: the strongest clause counts. */
export function rateSentence(sentence: string, speakers: readonly string[] = []): Rated {
  const language = toLanguage(sentence);
  if (!/[\p{L}\p{N}]/u.test(sentence) || language.isSmallTalk(sentence.trim())) {
    return { kind: undefined, importance: anchor.greeting };
  }
  return language
    .parse(sentence, new Set(speakers))
    .map((clause) => rateClause(clause, language.rules))
    .reduce((best, rated) => (rated.importance > best.importance ? rated : best), {
      kind: undefined,
      importance: anchor.question,
    });
}

/** A bare yes says what it was asked: `Are you allergic to nuts?` – `Yes.` */
function rateYes(turn: Turn, before: Turn | undefined, speakers: readonly string[]): Rated | undefined {
  if (before === undefined || before.speaker === turn.speaker) return undefined;
  const question = splitSentences(before.text).at(-1) ?? '';
  const language = toLanguage(question);
  const statement = language.isYes(turn.text) ? language.toStatement(question.trim()) : undefined;
  if (statement === undefined) return undefined;
  const rated = rateSentence(statement, speakers);
  return rated.kind === undefined ? undefined : { ...rated, importance: rated.importance - 1 };
}

function rateTurn(turn: Turn, before: Turn | undefined, speakers: readonly string[]): readonly Statement[] {
  const others = speakers.filter((speaker) => speaker !== turn.speaker);
  const isAssistant = turn.voice === 'assistant';
  return splitSentences(turn.text.replace(CAPTION, '')).map((sentence, index) => {
    const own = rateSentence(sentence, others);
    const answer = index === 0 && !isAssistant ? rateYes(turn, before, others) : undefined;
    const rated = answer !== undefined && answer.importance > own.importance ? answer : own;
    return {
      kind: isAssistant ? undefined : rated.kind,
      importance: isAssistant ? Math.min(anchor.passing, rated.importance) : rated.importance,
      valence: isAssistant ? undefined : rateValence(sentence),
      speaker: turn.speaker,
      text: sentence.trim(),
    };
  });
}

/** Further statements lift a window by three tenths each, never as far as the next anchor. */
function toImportance(statements: readonly Statement[], strongest: number): number {
  const further = statements.filter(({ importance }) => importance >= anchor.ordinary).length - 1;
  const lifted = strongest + Math.min(0.9, Math.max(0, further) * 0.3);
  return Math.round(Math.min(anchor.life, lifted) * 10) / 10;
}

function toValence(statements: readonly Statement[]): number | undefined {
  const told = statements.flatMap(({ valence }) => valence ?? []);
  if (told.length === 0) return undefined;
  return Math.round((told.reduce((sum, valence) => sum + valence, 0) / told.length) * 100) / 100;
}

/** Rates a window by the kinds of statement that its sentences make; see {@link anchor} for the scale. */
export function rateWindow(window: EpisodeWindow, { speakers, before }: RatingContext): WindowRating {
  const statements = window.turns.flatMap((turn, index) =>
    rateTurn(turn, index === 0 ? before : window.turns[index - 1], speakers),
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
