export { type DetectOptions, detectLanguage } from './detect-language.ts';
export type {
  FileTitle,
  FileWords,
  Guides,
  LanguageData,
  PersonaWords,
  PromptWords,
  ReviewWords,
  SearchWords,
  TimeWords,
} from './language-data.ts';
export { inEachLanguage, wordsOf } from './languages.ts';
