/** The languages of the page. */
export const languages = { en: 'English', zh: '中文', ja: '日本語' } as const;
/** One of {@link languages}. */
export type Language = keyof typeof languages;
