export * from './time-slices.ts';
