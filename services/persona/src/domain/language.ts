/** The languages that a persona's headings come in. */
export const languages = ['zh', 'en'] as const;
/** One of {@link languages}. */
export type Language = (typeof languages)[number];

/** The words that stand around a persona's texts. `name` is its display name. */
export interface Wording {
  readonly personaHeading: (name: string) => string;
  readonly systemPromptHeading: (name: string) => string;
  readonly safetyHeading: string;
  /** What a user without a name is called. */
  readonly user: string;
}

/** The wording of each language. */
export const wordings: Readonly<Record<Language, Wording>> = {
  zh: {
    personaHeading: (name) => `# ${name} 角色人设`,
    systemPromptHeading: (name) => `# ${name} 系统提示`,
    safetyHeading: '# 安全使用指南',
    user: '用户',
  },
  en: {
    personaHeading: (name) => `# ${name} Persona`,
    systemPromptHeading: (name) => `# ${name} System Prompt`,
    safetyHeading: '# Safety Guidelines',
    user: 'the user',
  },
};

/** The language of a text whose author did not say: Chinese when it holds a Chinese character. */
export function detectLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}
