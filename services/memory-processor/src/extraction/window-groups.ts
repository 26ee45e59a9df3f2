import type { Extraction, Fact, WindowGroup } from '../domain/extractor.ts';
import type { EpisodeWindow } from '../domain/windows/episodes.ts';
import { toContent } from '../domain/windows/window-turns.ts';

type Drawn = Omit<Extraction, 'episode'>;

/** The windows of a group as one. */
export function toWhole({ windows }: WindowGroup): EpisodeWindow {
  const [first] = windows;
  const turns = windows.flatMap((window) => window.turns);
  return {
    session: first?.session ?? '',
    ordinal: first?.ordinal ?? 1,
    turns,
    content: toContent(turns, first?.date),
    ...(first?.date !== undefined && { date: first.date }),
  };
}

/** The window that has most of a fact's evidence; the later one of two, since an answer completes its question. */
function findWindow({ evidence }: Fact, { windows }: WindowGroup): EpisodeWindow | undefined {
  const counts = windows.map((window) => ({
    window,
    count: window.turns.filter(({ label }) => evidence.includes(label)).length,
  }));
  return counts.reduce<(typeof counts)[number] | undefined>(
    (best, one) => (best === undefined || one.count >= best.count ? one : best),
    undefined,
  )?.window;
}

/**
 * What each window of a group came to: its facts by their evidence; what the call took, and what was rejected, counts with the
 * first one, a failure with each.
 */
export function toShares(group: WindowGroup, whole: Drawn): ReadonlyMap<EpisodeWindow, Drawn> {
  const { failure, usage, rejected = [] } = whole;
  return new Map(
    group.windows.map((window, at): [EpisodeWindow, Drawn] => [
      window,
      {
        facts: whole.facts.filter((fact) => findWindow(fact, group) === window),
        ...(failure !== undefined && { failure }),
        ...(at === 0 && { rejected, ...(usage !== undefined && { usage }) }),
      },
    ]),
  );
}
