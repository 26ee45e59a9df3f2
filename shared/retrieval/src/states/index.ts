export * from './find-asked.ts';
export * from './find-replaced.ts';
