export type { IndexEntry } from './entries.ts';
export type { IndexState, ToMismatchError } from './fingerprint.ts';
export { type FusedHit, type FusionWeights, fuseHits } from './fused-hits.ts';
export { createHybridIndex, type HybridIndex, type HybridIndexOptions } from './hybrid-index.ts';
export { type IndexedDatabase, type OpenIndexedDatabaseOptions, openIndexedDatabase } from './indexed-database.ts';
export type { Reading } from './reading.ts';
export type { DerivedRow, RebuildIndexOptions, RebuildReport } from './rebuild.ts';
export { type IndexDefinition, toIndexSchema } from './schema.ts';
export type { HybridHit, HybridHits, HybridQuery, SqlPart } from './search.ts';
