import type { Log } from '@contextloom/mcp-kit';
import type { Derive, DocumentStore, EmbedderIdentity } from '../domain/store.ts';
import type { OnMismatch } from '../store/fingerprint.ts';

/** How a store is opened, wherever it is. */
export interface OpenStoreOptions {
  readonly embedder: EmbedderIdentity;
  readonly onMismatch?: OnMismatch;
  /** Makes the index again after an update of the program; without it an earlier one stays in use. */
  readonly derive?: Derive;
  readonly newId: () => string;
  readonly log: Log;
}

/** What keeps documents, as the settings name it. */
export interface StoreEngine<Place> {
  /** Its name in answers and commands, such as `chroma`. */
  readonly name: string;
  /** Whether the settings ask for this engine. */
  readonly isAskedFor: (place: Place) => boolean;
  /** Where its documents are, for logs and reports, without secrets. */
  readonly describe: (place: Place) => string;
  /** @throws ContextloomError `unavailable` when the store cannot be used, naming the place */
  readonly open: (place: Place, options: OpenStoreOptions) => Promise<DocumentStore>;
  /**
   * Which embedder filled the store; undefined when there is none, or no document in it.
   * @throws ContextloomError `unavailable` or `timeout` when that cannot be told
   */
  readonly readEmbedder: (place: Place) => Promise<EmbedderIdentity | undefined>;
}
