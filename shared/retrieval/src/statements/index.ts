export * from './brief-text.ts';
export * from './patterns.ts';
export * from './replaced.ts';
export * from './statements.ts';
