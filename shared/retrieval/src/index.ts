export * from './fuse-ranks.ts';
export * from './similarity.ts';
export * from './split-sentences.ts';
export * from './tokenize.ts';
