import type { retractionKeys } from '@contextloom/contracts';
import { readEpisode } from '@contextloom/contracts/episode';
import type { ServerAnswer } from '../../calls/operations.ts';
import type { Said } from '../conversation-text.ts';

/** A document of the knowledge base that came out of a conversation. */
export type Drawn = Pick<ServerAnswer<'list_documents'>['documents'][number], 'id' | 'content' | 'metadata'>;

/** Turns of a conversation that were stored as one text. */
export interface Window {
  readonly id: string;
  /** The numbers of its first and last turn, such as `7-12`. */
  readonly turns: string;
  /** As they were said. */
  readonly lines: readonly {
    readonly turn: number | undefined;
    readonly text: string;
    readonly isHere: boolean;
    /** Who said what; undefined for the line of a day. */
    readonly said?: Said;
  }[];
  /** What a person wrote in their place; undefined where nobody did. */
  readonly correction: string | undefined;
}

/** A conversation as it was stored, and the facts that were drawn from it. */
export interface StoredConversation {
  readonly windows: readonly Window[];
  readonly facts: readonly Drawn[];
}

/** Where a corrected document keeps what had been read. */
const SAID: (typeof retractionKeys)['said'] = 'retracted_content';

type Span = readonly [number, number];

/** Reads numbers of turns such as `7-12` or `3`. */
function toSpan(turns: unknown): Span | undefined {
  const [from, to = from] = String(turns).split('-').map(Number);
  return from !== undefined && to !== undefined && from > 0 && to >= from ? [from, to] : undefined;
}

const overlaps = (one: Span | undefined, other: Span | undefined): boolean =>
  one !== undefined && other !== undefined && one[0] <= other[1] && other[0] <= one[1];

const isEpisode = ({ metadata }: Drawn): boolean => metadata['memory_type'] === 'episode';
const spanOf = ({ metadata }: Drawn): Span | undefined => toSpan(metadata['turns']);

function toWindow(episode: Drawn, here: Span | undefined): Window {
  const span = spanOf(episode);
  const { [SAID]: said } = episode.metadata;
  const content = typeof said === 'string' ? said : episode.content;
  const { date, turns } = readEpisode(content);
  // Turns of before their lines were indented, pieces of a long turn, and what a person wrote may be more or fewer.
  const isByTurn = span !== undefined && turns.length === span[1] - span[0] + 1;
  const lines = turns.map((said, at) => {
    const { speaker, words } = said;
    const text = speaker === undefined ? words : `${speaker}: ${words}`;
    if (!isByTurn) return { turn: undefined, text, isHere: overlaps(span, here), said };
    const turn = span[0] + at;
    return { turn, text, isHere: overlaps([turn, turn], here), said };
  });
  const header =
    date === undefined ? [] : [{ turn: undefined, text: `[${date}]`, isHere: !isByTurn && overlaps(span, here) }];
  return {
    id: episode.id,
    turns: String(episode.metadata['turns'] ?? ''),
    lines: [...header, ...lines],
    correction: content === episode.content ? undefined : episode.content,
  };
}

/** Puts together what was said around some turns, and what was drawn from these. */
export function toStoredConversation(drawn: readonly Drawn[], turns: unknown): StoredConversation {
  const here = toSpan(turns);
  const begin = (one: Drawn): number => spanOf(one)?.[0] ?? 0;
  const episodes = drawn.filter(isEpisode).toSorted((a, b) => begin(a) - begin(b));
  return {
    windows: episodes.map((episode) => toWindow(episode, here)),
    facts: drawn.filter((one) => !isEpisode(one) && overlaps(spanOf(one), here)),
  };
}
