import { spiritTitles, toComparableTitle } from '@contextloom/contracts';
import type { ContentType } from './entry.ts';

/** The languages of headings: both are read, one is written. */
export const languages = ['zh', 'en'] as const;
/** One of {@link languages}. */
export type Language = (typeof languages)[number];

type Words = Readonly<Record<Language, string>>;

/** What entries are called in headings. */
export const typeLabels: Readonly<Record<ContentType, Words>> = {
  conversation: { zh: '对话', en: 'Conversation' },
  decision: { zh: '决策', en: 'Decision' },
  summary: { zh: '摘要', en: 'Summary' },
  manual: { zh: '手动', en: 'Manual' },
};

/** The titles of files and sections. */
export const titles = {
  ...spiritTitles,
  basics: { zh: '基本信息', en: 'Basic information' },
  interests: { zh: '兴趣爱好', en: 'Interests' },
  goals: { zh: '当前目标', en: 'Current goals' },
  preferences: { zh: '偏好设置', en: 'Preferences' },
  name: { zh: '姓名', en: 'Name' },
  age: { zh: '年龄', en: 'Age' },
  occupation: { zh: '职业', en: 'Occupation' },
  summary: { zh: '摘要', en: 'Summary' },
  entries: { zh: '记录条目', en: 'Entries' },
  enabled: { zh: '启用', en: 'Enabled' },
  parameters: { zh: '参数', en: 'Parameters' },
  agreement: { zh: '重要约定', en: 'Important' },
} as const satisfies Readonly<Record<string, Words>>;

/** Whether a heading or key has a title, in either language. */
export function isTitled(text: string, title: Words): boolean {
  return Object.values(title).some((known) => toComparableTitle(known) === toComparableTitle(text));
}

/** The type that a label names, in either language; undefined for another word. */
export function fromTypeLabel(label: string): ContentType | undefined {
  const types = Object.keys(typeLabels) as ContentType[];
  return types.find((type) => type === toComparableTitle(label) || isTitled(label, typeLabels[type]));
}
