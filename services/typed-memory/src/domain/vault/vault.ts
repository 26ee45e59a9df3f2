/** What a ciphertext is bound to: moved to another item or user it does not open. */
interface VaultPlace {
  readonly userId: string;
  readonly id: string;
}

/** Seals secrets with one key, and opens them with it or an older one. */
export interface Vault {
  /** The id of a secret in a context: the same for the same, and without the key no guess can be tried against it. */
  readonly idOf: (userId: string, secret: string, context: string) => string;
  readonly seal: (secret: string, place: VaultPlace) => string;
  /** @throws ContextloomError `forbidden` when no key opens it */
  readonly open: (sealed: string, place: VaultPlace) => string;
  /** Whether a ciphertext is of the present key. */
  readonly isCurrent: (sealed: string) => boolean;
}
