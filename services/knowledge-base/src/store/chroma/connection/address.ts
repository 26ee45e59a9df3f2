/** Where Chroma is, and the name of the collection there. */
export interface ChromaAddress {
  /** The server's address; Chroma Cloud's when absent. */
  readonly url: string | undefined;
  readonly apiKey: string | undefined;
  readonly tenant: string | undefined;
  readonly database: string | undefined;
  /** The name of the collection; those of others that belong to it begin so. */
  readonly collection: string;
}

/** What a Chroma server is called in errors and reports. */
export function toServerName({ url }: Pick<ChromaAddress, 'url'>): string {
  return `Chroma at ${url ?? 'Chroma Cloud'}`;
}
