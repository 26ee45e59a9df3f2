/** Where Chroma is, and under which names its collections are. */
export interface ChromaAddress {
  /** The server's address; Chroma Cloud's when absent. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly tenant: string | undefined;
  readonly database: string | undefined;
  /** What the names of the collections begin with. */
  readonly collection: string;
}
