import { isAssistantName, readQuestion, tokenize } from '@contextloom/retrieval';
import { scoreBm25, scoreTurns, toTokensWithForms } from '@contextloom/retrieval/ranking';
import type { Asking } from './asking.ts';
import type { MemoryPassages } from './passages.ts';

/** The one who is asked. */
const YOU = /(?<!\p{L})(?:you|your|yours)(?!\p{L})|[你您]/iu;

/** How well a passage fits the question, 0 to 1, and what counts of its speaker, 0 to 1. */
export interface PassageScore {
  readonly relevance: number;
  readonly voice: number;
}

/**
 * Scores the passages of memories as a search scores documents: by their words, and as turns of a conversation. What the assistant wrote
 * counts less, unless it is asked about. Undefined when nothing is looked for.
 */
export function scorePassages(
  memories: readonly MemoryPassages[],
  { query, names }: Asking,
): readonly (readonly PassageScore[])[] | undefined {
  const { sought, isEmpty } = readQuestion(query, { names });
  if (isEmpty) return undefined;
  const isOfYou = YOU.test(sought);
  const known = new Set(names.map((name) => name.trim().toLowerCase()).filter((name) => name !== ''));
  const toSpeaker = (speaker = ''): string => (known.has(speaker.trim().toLowerCase()) ? 'assistant' : speaker);
  const all = memories.flatMap(({ passages }, memory) => passages.map((passage) => ({ ...passage, memory })));
  const tokens = all.map(({ text }) => tokenize(text));
  const words = scoreBm25(tokens, toTokensWithForms(sought), tokens.length);
  const turns = all.map(({ text, memory, turn, speaker }, at) => ({
    id: String(at),
    text,
    score: words[at]?.score ?? 0,
    speaker: toSpeaker(speaker),
    place: { sequence: String(memory), position: turn },
  }));
  const scored = scoreTurns(turns);
  const values = all.map(({ speaker }, at): PassageScore => {
    const { own, fromNeighbours, form } = scored.get(String(at)) ?? { own: 0, fromNeighbours: 0, form: 1 };
    const isAssistant = isAssistantName(toSpeaker(speaker).trim());
    const voice = isAssistant && !isOfYou ? form : 1;
    return { relevance: (own + fromNeighbours) * (isAssistant ? voice : form), voice };
  });
  const most = values.reduce((best, { relevance }) => Math.max(best, relevance), Number.MIN_VALUE);
  let first = 0;
  return memories.map(({ passages }) => {
    first += passages.length;
    return values
      .slice(first - passages.length, first)
      .map(({ relevance, voice }) => ({ relevance: relevance / most, voice }));
  });
}
