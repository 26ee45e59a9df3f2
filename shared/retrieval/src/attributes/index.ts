export * from './find-attribute.ts';
