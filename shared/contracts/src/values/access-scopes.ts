/** What a caller may do: read; write, which everything that changes something is; admin, over users and keys. */
export const accessScopes = ['read', 'write', 'admin'] as const;

/** One of {@link accessScopes}. */
export type AccessScope = (typeof accessScopes)[number];
