/** A document of the knowledge base that came out of a conversation. */
export interface Drawn {
  readonly id: string;
  readonly content: string;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** Turns of a conversation that were stored as one text. */
export interface Window {
  readonly id: string;
  /** The numbers of its first and last turn, such as `7-12`. */
  readonly turns: string;
  readonly lines: readonly { readonly turn: number | undefined; readonly text: string; readonly isHere: boolean }[];
}

/** A conversation as it was stored, and the facts that were drawn from it. */
export interface Told {
  readonly windows: readonly Window[];
  readonly facts: readonly Drawn[];
}

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

/** The line in front of the turns of a window that says when they were. */
const DAY = /^\[\d{4}-\d\d-\d\d[^\]]{0,40}\]$/;

function toWindow(episode: Drawn, here: Span | undefined): Window {
  const span = spanOf(episode);
  const texts = episode.content.split('\n');
  const first = DAY.test(texts[0] ?? '') ? 1 : 0;
  // A turn of several lines hides which line is which turn.
  const isByTurn = span !== undefined && texts.length - first === span[1] - span[0] + 1;
  const toLine = (text: string, at: number) => {
    if (!isByTurn) return { turn: undefined, text, isHere: overlaps(span, here) };
    const turn = at < first ? undefined : span[0] + at - first;
    return { turn, text, isHere: turn !== undefined && overlaps([turn, turn], here) };
  };
  return { id: episode.id, turns: String(episode.metadata['turns'] ?? ''), lines: texts.map(toLine) };
}

/** Puts together what was said around some turns, and what was drawn from these. */
export function toTold(drawn: readonly Drawn[], turns: unknown): Told {
  const here = toSpan(turns);
  const begin = (one: Drawn): number => spanOf(one)?.[0] ?? 0;
  const episodes = drawn.filter(isEpisode).toSorted((a, b) => begin(a) - begin(b));
  return {
    windows: episodes.map((episode) => toWindow(episode, here)),
    facts: drawn.filter((one) => !isEpisode(one) && overlaps(spanOf(one), here)),
  };
}
