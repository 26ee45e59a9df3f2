export * from './map-in-slices.ts';
export * from './time-slices.ts';
