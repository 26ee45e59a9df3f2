export * from './conditions.ts';
export * from './encoding.ts';
export * from './evaluate.ts';
export * from './filter.ts';
export * from './parse-filter.ts';
export * from './timestamps.ts';
