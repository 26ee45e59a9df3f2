export * from './conditions.ts';
export * from './encoding.ts';
export * from './filter.ts';
export { type Comparison, MAX_FILTER_VALUES } from './operators.ts';
export * from './parse-filter.ts';
export * from './timestamps.ts';
