export * from './conversations.ts';
export * from './documents.ts';
export * from './errors.ts';
export * from './identifiers.ts';
export * from './json.ts';
export * from './memories.ts';
export * from './parse.ts';
export * from './prompts.ts';
