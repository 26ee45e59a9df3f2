/** Largest request body that any HTTP endpoint of the product reads, in bytes. */
export const MAX_BODY_BYTES = 16 * 1024 * 1024;

/**
 * Longest line that a server reads from a pipe, in bytes: what an HTTP endpoint takes, and room for what a gateway adds when it
 * passes such a call on.
 */
export const MAX_LINE_BYTES = 17 * 1024 * 1024;

/**
 * Largest JSON-RPC message that an upstream may answer with over a pipe, in bytes. The SDK's own limit is 10 MiB, and the
 * answer to a large transcript carries its words twice, as data and as text.
 */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
