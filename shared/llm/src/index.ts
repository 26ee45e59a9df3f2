export * from './chat-model.ts';
export * from './count-tokens.ts';
export * from './create-chat-model.ts';
export * from './create-embedder.ts';
export * from './embedder.ts';
export * from './lexical-embedder.ts';
