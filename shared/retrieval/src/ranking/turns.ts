import { isAssistantName } from '../text/assistant-name.ts';
import { endsAsking } from '../text/ends-asking.ts';

/**
 * What is true of what people say to each other, and of nothing else: it holds for turns of at most `longest` characters that
 * stand in a sequence. A turn gets shares of the scores of the two `beside` it, and of those `twoOff`: an answer often has no
 * word of its question, so that it gets most from a turn that asks. Of a turn that asks itself, `question` is left: it repeats the words of
 * whoever asks the same, and answers nothing. In a conversation with an assistant, where both ask, that does not hold; there `other` is what
 * counts of what the one wrote who is not meant: the assistant, since what is asked later is mostly what the user told, or the user where a
 * question asks for what the assistant said. The table of docs/search.md has what each is worth.
 */
export const TURNS = {
  fromQuestion: 0.7,
  beside: 0.3,
  twoOff: 0.2,
  question: 0.75,
  other: 0.5,
  longest: 400,
} as const;

/** Where a text stands in a sequence, such as a turn in a conversation. */
export interface Place {
  readonly sequence: string;
  readonly position: number;
}

/** A text that may be a turn of a conversation, with its score by itself. */
export interface Turn {
  readonly id: string;
  readonly text: string;
  readonly score: number;
  readonly place?: Place | undefined;
  /** Who said it, where the text does not begin with that. */
  readonly speaker?: string | undefined;
}

/** What a turn's score is made of: it is (own + fromNeighbours) × form. */
export interface TurnScore {
  readonly own: number;
  readonly fromNeighbours: number;
  /** Below 1 for a question, and in a conversation with an assistant for what the one wrote who is not meant. */
  readonly form: number;
}

/** A name and a colon, as transcripts put before a turn. */
const speakerLabel = /^([^:：?？!！。[\]\n]{1,40})[:：]\s*/u;
/** Brackets at the end, such as the caption of a picture, are not spoken. */
const caption = /\s*\[[^\]\n]{0,1000}\]\s*$/u;
/** Names of the user in conversations with an assistant. */
const USER = /^(?:user|human|you|用户|我)$/iu;

interface ReadTurn extends Turn {
  readonly isShort: boolean;
  readonly endsAsking: boolean;
  readonly voice: 'assistant' | 'user' | undefined;
}

function toVoice(speaker: string): ReadTurn['voice'] {
  if (isAssistantName(speaker)) return 'assistant';
  return USER.test(speaker) ? 'user' : undefined;
}

function readTurn(turn: Turn): ReadTurn {
  if (turn.place === undefined) return { ...turn, isShort: false, endsAsking: false, voice: undefined };
  const [, label = ''] = speakerLabel.exec(turn.text.slice(0, 50)) ?? [];
  const isShort = turn.text.length <= TURNS.longest;
  return {
    ...turn,
    isShort,
    endsAsking: isShort && endsAsking(turn.text.replace(caption, '')),
    voice: toVoice(label.trim()) ?? toVoice(turn.speaker?.trim() ?? ''),
  };
}

/** The places around one that its neighbours' scores may go to or come from. */
export function toPlacesAround({ sequence, position }: Place): readonly Place[] {
  return [-2, -1, 1, 2].map((offset) => ({ sequence, position: position + offset }));
}

/** A place as a text that no other place has. */
export function encodePlace({ sequence, position }: Place): string {
  return `${position} ${sequence}`;
}

/** What those around a turn give it. */
function toGiven({ place }: ReadTurn, at: ReadonlyMap<string, ReadTurn>, scoreOf: (turn: ReadTurn) => number): number {
  const [before, second, after, secondAfter] = [-1, -2, 1, 2].map((offset) =>
    place === undefined ? undefined : at.get(encodePlace({ ...place, position: place.position + offset })),
  );
  const give = (turn: ReadTurn | undefined, share: number): number => (turn === undefined ? 0 : share * scoreOf(turn));
  return (
    give(before, before?.endsAsking === true ? TURNS.fromQuestion : TURNS.beside) +
    give(after, TURNS.beside) +
    give(second, TURNS.twoOff) +
    give(secondAfter, TURNS.twoOff)
  );
}

/**
 * What stands around texts in their sequences, and their form, make of their scores; texts of no sequence keep theirs. One that is
 * given twice counts once.
 * @param isOfAnswers whether the question asks for what an assistant said
 */
export function scoreTurns(
  turns: readonly Turn[],
  { isOfAnswers = false }: { readonly isOfAnswers?: boolean } = {},
): ReadonlyMap<string, TurnScore> {
  const read = [...new Map(turns.map((turn) => [turn.id, readTurn(turn)])).values()];
  const short = read.filter(({ isShort }) => isShort);
  const at = new Map(short.flatMap((turn) => (turn.place === undefined ? [] : [[encodePlace(turn.place), turn]])));
  const withAssistant = new Set(read.flatMap(({ voice, place }) => (voice === undefined ? [] : [place?.sequence])));
  const other = isOfAnswers ? 'user' : 'assistant';
  const toForm = ({ voice, place, ...turn }: ReadTurn): number => {
    if (voice === other) return TURNS.other;
    return turn.endsAsking && !withAssistant.has(place?.sequence) ? TURNS.question : 1;
  };
  const voiced = (turn: ReadTurn): number => turn.score * (turn.voice === other ? TURNS.other : 1);
  return new Map(
    read.map((turn) => {
      const form = toForm(turn);
      // What a turn gives counts as much as who said it; what it is given does not depend on who says it.
      const given = turn.isShort ? toGiven(turn, at, voiced) : 0;
      const fromNeighbours = turn.voice === other ? given / TURNS.other : given;
      return [turn.id, { own: turn.score, fromNeighbours, form }];
    }),
  );
}
