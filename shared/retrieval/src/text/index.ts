export * from './comparable-text.ts';
export * from './find-matches.ts';
export * from './irregular-forms.ts';
export * from './question.ts';
export * from './similarity.ts';
export { simplify } from './simplify.ts';
export * from './snippet.ts';
export * from './split-sentences.ts';
export * from './tokenize.ts';
