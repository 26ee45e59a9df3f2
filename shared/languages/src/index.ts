export { type DetectOptions, detectLanguage, detectMainLanguage } from './detect-language.ts';
export type {
  FileTitle,
  FileWords,
  Guides,
  LanguageData,
  PersonaWords,
  PromptWords,
  ReviewWords,
  RoleWords,
  SearchWords,
  TimeWords,
} from './language-data.ts';
export { inEachLanguage, wordsOf } from './languages.ts';
