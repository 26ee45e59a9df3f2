/** The languages that headings, prompts and files are written in; `shared/languages` has a folder for each. */
export const LANGUAGES = ['zh', 'en', 'ja'] as const;
/** One of {@link LANGUAGES}, an ISO 639-1 code. */
export type Language = (typeof LANGUAGES)[number];
/** That of the design, where nothing tells another. */
export const DEFAULT_LANGUAGE: Language = 'zh';
