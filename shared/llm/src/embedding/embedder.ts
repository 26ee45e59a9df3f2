/** Names a vector space: vectors of two different identities must never be compared. */
export interface EmbedderIdentity {
  readonly provider: string;
  readonly model: string;
  readonly dimensions: number;
}

/** Turns texts into vectors. */
export interface Embedder {
  readonly identity: EmbedderIdentity;
  /** One vector of length 1 for each text, in order. */
  readonly embed: (texts: readonly string[], signal?: AbortSignal) => Promise<readonly Float32Array[]>;
  /** The same for queries, where the model wants those marked; absent where it makes no difference. */
  readonly embedQueries?: Embedder['embed'];
}
