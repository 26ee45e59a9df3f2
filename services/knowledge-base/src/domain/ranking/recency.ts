import { NEWNESS } from '../search/tuning.ts';

/**
 * Builds the function that gives the factor for the relevance of a document by when it happened (epoch milliseconds), in a search for
 * how things are now. By its place in the order of time, so that years and hours between documents count alike.
 */
export function createRecencyFactor(
  candidates: readonly { readonly happened?: number | undefined }[],
): (happened: number) => number {
  const times = [...new Set(candidates.flatMap(({ happened }) => happened ?? []))].sort((a, b) => a - b);
  const places = new Map(times.map((time, at) => [time, at / Math.max(1, times.length - 1)]));
  return (happened) => 1 + NEWNESS * (places.get(happened) ?? 0);
}
