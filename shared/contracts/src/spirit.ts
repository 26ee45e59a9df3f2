/** The fields of a `SPIRIT.md`, the file of who an agent is, in the order in which they stand there. */
export const spiritFields = ['role', 'personality', 'values', 'behavior_rules'] as const;
/** One of {@link spiritFields}. */
export type SpiritField = (typeof spiritFields)[number];

/** The titles of their sections; either language is read. */
export const spiritTitles = {
  role: { zh: '角色定位', en: 'Role' },
  personality: { zh: '性格特征', en: 'Personality' },
  values: { zh: '价值观', en: 'Values' },
  behavior_rules: { zh: '行为准则', en: 'Behavior rules' },
} as const satisfies Readonly<Record<SpiritField, Readonly<Record<'zh' | 'en', string>>>>;

/** Titles are the same whatever their case, spacing and spelling of "behaviour". */
export function toComparableTitle(title: string): string {
  return title.trim().toLowerCase().replaceAll('behaviour', 'behavior').replace(/\s+/g, ' ');
}
