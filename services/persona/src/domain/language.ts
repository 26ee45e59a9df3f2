/** The languages that a persona's headings come in. */
export const languages = ['zh', 'en'] as const;
/** One of {@link languages}. */
export type Language = (typeof languages)[number];

/** The words around a persona's texts. `name` is its display name. */
export interface Wording {
  readonly personaHeading: (name: string) => string;
  readonly systemPromptHeading: (name: string) => string;
  readonly safetyHeading: string;
  /** The name of a user who gives none. */
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

/** Guesses the language of a text: Chinese if it contains a Chinese character. */
export function detectLanguage(text: string): Language {
  return /\p{Script=Han}/u.test(text) ? 'zh' : 'en';
}
