/** The fields of a `SPIRIT.md`, the file of who an agent is, in the order in which they stand there. */
export const spiritFields = ['role', 'personality', 'values', 'behavior_rules'] as const;
/** One of {@link spiritFields}. */
export type SpiritField = (typeof spiritFields)[number];

/** Titles are the same whatever their case, spacing and spelling of "behaviour". */
export function toComparableTitle(title: string): string {
  return title.trim().toLowerCase().replaceAll('behaviour', 'behavior').replace(/\s+/g, ' ');
}
