import type { StoreUpkeep } from '@contextloom/contracts';
import type { Log, Settings, SettingValues } from '@contextloom/runtime';
import type { Derive, DocumentStore, EmbedderIdentity } from '../domain/store.ts';
import type { OnMismatch } from './fingerprint.ts';

/** How a store is opened, wherever it is. */
export interface OpenStoreOptions {
  readonly embedder: EmbedderIdentity;
  readonly onMismatch?: OnMismatch;
  /** Makes the index again after an update of the program; without it an earlier one stays in use. */
  readonly derive?: Derive;
  readonly clock: () => Date;
  readonly newId: () => string;
  readonly log: Log;
  /** Whether calls wait for the store to be opened as long as that takes, as a job does. */
  readonly isPatient?: boolean;
  /** Whether documents are copied from it or into it, as a migration does: what another engine has of them is its concern. */
  readonly isCopied?: boolean;
}

/** What a store holds, as far as it can be known without opening it. */
export interface StoreInspection {
  /** Whether this program made the index as it would make it now. */
  readonly isOwn: boolean;
  /** How many documents wait for their vectors. */
  readonly waiting: number;
}

/** A store that was moved aside, and is kept. */
export interface StoreAside {
  readonly file: string;
  readonly open: (embedder: EmbedderIdentity) => Promise<DocumentStore>;
}

/** An engine that keeps documents: its name, the settings that say where, and how a store there is opened. */
export interface StoreEngine<S extends Settings = Settings> {
  /** Its name in answers and commands, such as `chroma`. */
  readonly name: string;
  readonly settings: S;
  /** What the settings must be to ask for it, as an error says it; absent for the engine that is always there. */
  readonly needs?: string;
  /** Whether the settings ask for this engine. */
  readonly isChosen: (place: SettingValues<S>) => boolean;
  /** Where its documents are, for logs and reports, without secrets. */
  readonly describe: (place: SettingValues<S>) => string;
  /** How it compares vectors, as a check tells it; absent where there is no other way. */
  readonly comparison?: string;
  /** The upkeep of its schema; absent where others see to that. */
  readonly upkeep?: (place: SettingValues<S>) => StoreUpkeep;
  /** How large its files are, in bytes; absent where they are on another machine. */
  readonly sizeOf?: (place: SettingValues<S>) => number;
  /** @throws ContextloomError `unavailable` when the store cannot be used, naming the place */
  readonly open: (place: SettingValues<S>, options: OpenStoreOptions) => Promise<DocumentStore>;
  /** Moves a store aside whose documents are in Postgres. */
  readonly setAside?: (place: SettingValues<S>) => StoreAside;
  /** The store that was moved aside, where no other has taken its place. */
  readonly findAside?: (place: SettingValues<S>) => StoreAside | undefined;
  /**
   * Looks into the store without opening it, where opening would take it from a program that has it open.
   * @throws ContextloomError `unavailable` when the store cannot be used
   */
  readonly inspect?: (place: SettingValues<S>, embedder: EmbedderIdentity) => Promise<StoreInspection>;
  /**
   * Which embedder filled the store; undefined for a store that is missing or empty.
   * @throws ContextloomError `unavailable` or `timeout` when the store does not say
   */
  readonly readEmbedder: (place: SettingValues<S>) => Promise<EmbedderIdentity | undefined>;
}
