import type { Comparison } from './operators.ts';

/** A condition on a document's metadata, parsed. A document that lacks `key` never matches a comparison, whatever it asks. */
export type Filter = { readonly kind: 'and' | 'or'; readonly filters: readonly Filter[] } | Comparison;

/** The filter that every document passes. */
export const everything: Filter = { kind: 'and', filters: [] };

/** The texts that a filter asks `key` to be, wherever in it: the operands of `eq` and `in`. */
export function textsAskedOf(filter: Filter, key: string): readonly string[] {
  if (filter.kind === 'and' || filter.kind === 'or') return filter.filters.flatMap((part) => textsAskedOf(part, key));
  if (filter.kind !== 'in' || filter.key !== key) return [];
  return filter.values.filter((value) => typeof value === 'string');
}

/** The parts of a filter that a document has to pass, every one. */
export function conjunctsOf(filter: Filter): readonly Filter[] {
  return filter.kind === 'and' ? filter.filters.flatMap(conjunctsOf) : [filter];
}
