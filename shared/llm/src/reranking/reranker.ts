/** Says how well documents answer a query, having read each of them together with it. */
export interface Reranker {
  /** Names the model in reports. */
  readonly model: string;
  /** Where it is, without user and query. */
  readonly address: string;
  /**
   * One score for each document, in order; higher is better, on a scale of the model's own.
   * @throws ContextloomError naming the setting to look at, when the endpoint cannot be used or does not answer as one
   */
  readonly rerank: (query: string, documents: readonly string[], signal?: AbortSignal) => Promise<readonly number[]>;
}
