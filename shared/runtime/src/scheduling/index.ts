export * from './deadline.ts';
export * from './keyed-queue.ts';
export * from './lazy.ts';
export * from './map-in-slices.ts';
export * from './time-slices.ts';
