export * from './find-replaced.ts';
