import { endsAsking, splitSentences, tokenize } from '@contextloom/retrieval';
import { UTTERANCES } from './tuning.ts';

/** What the text of one turn in a conversation tells about it. */
export interface Utterance {
  /** The share of its characters, in [0,1], that are in questions. */
  readonly asks: number;
  /** Whether it ends with a question: the next turn may answer it. */
  readonly endsAsking: boolean;
  /** The name before the colon that it begins with, if any. */
  readonly speaker: string | undefined;
}

/** A name and a colon, as transcripts put before a turn. */
const speakerLabel = /^([^:：?？!！。[\]\n]{1,40})[:：]\s*/u;
/** Brackets at the end, such as the caption of a picture, are not spoken. */
const caption = /\s*\[[^\]]*\]\s*$/u;

function readQuestions(content: string): Pick<Utterance, 'asks' | 'endsAsking'> {
  if (!/[?？؟]/u.test(content)) return { asks: 0, endsAsking: false };
  const said = content.replace(caption, '');
  const asking = splitSentences(said).filter(endsAsking);
  return {
    asks: asking.reduce((sum, { length }) => sum + length, 0) / said.length,
    endsAsking: endsAsking(said),
  };
}

/** Reads the text of a turn; a text longer than `UTTERANCES.longest` characters counts as no turn. */
export function toUtterance(content: string): Utterance {
  if (content.length > UTTERANCES.longest) return { asks: 0, endsAsking: false, speaker: undefined };
  const [label = '', speaker] = speakerLabel.exec(content) ?? [];
  return { ...readQuestions(content.slice(label.length)), speaker };
}

/**
 * Builds the function that gives the factor for the relevance of something said. A question repeats the words of the query and answers
 * nothing; a speaker whom the query names is likelier to answer it than another.
 * @param asked the terms of the query
 */
export function createUtteranceFactor(asked: readonly string[]): (utterance: Utterance) => number {
  const terms = new Set(asked);
  const known = new Map<string, boolean>();
  const isAsked = (speaker: string): boolean => {
    const is = known.get(speaker) ?? tokenize(speaker).terms.some((term) => terms.has(term));
    known.set(speaker, is);
    return is;
  };
  return ({ asks, speaker }) => {
    const gain = speaker !== undefined && isAsked(speaker) ? UTTERANCES.speakerGain : 0;
    return (1 - UTTERANCES.questionLoss * asks) * (1 + gain);
  };
}
