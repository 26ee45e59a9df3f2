export * from './chunk-text.ts';
export * from './split-passages.ts';
export type { CountTokens } from './split-units.ts';
