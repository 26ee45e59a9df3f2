export * from './http-knowledge-base.ts';
