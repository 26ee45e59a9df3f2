export * from './chat-model.ts';
export * from './count-tokens.ts';
export * from './create-chat-model.ts';
export * from './create-embedder.ts';
export * from './create-reranker.ts';
export * from './embedder.ts';
export * from './lexical-embedder.ts';
export * from './reranker.ts';
