export * from './chunk-text.ts';
export type { CountTokens } from './split-units.ts';
