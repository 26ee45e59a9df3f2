export * from './bm25.ts';
export * from './fusion.ts';
export * from './kth-largest.ts';
export * from './query-expansion.ts';
export * from './query-tokens.ts';
export * from './thesaurus.ts';
