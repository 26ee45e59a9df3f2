import type { FoundMemory } from './memories.ts';

/** Where a fact was said. */
export interface FactEvidence {
  /** The id of the episode that it was drawn from. */
  readonly episode: string;
  /** The turns that say it, by their places in the episode from 0; none where nothing tells which. */
  readonly turns: readonly number[];
}

/** Where a fact was said; undefined of a memory that was not drawn from an episode. */
export function toFactEvidence({ metadata }: FoundMemory): FactEvidence | undefined {
  const { episode, episode_turns: turns } = metadata;
  if (typeof episode !== 'string') return undefined;
  const places = typeof turns === 'string' ? turns.split(',').map((place) => Number(place) - 1) : [];
  return { episode, turns: places.filter((place) => Number.isInteger(place) && place >= 0) };
}
