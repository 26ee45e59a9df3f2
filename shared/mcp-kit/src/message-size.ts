/**
 * Largest JSON-RPC message read from a pipe, in bytes. The SDK's own limit of 10 MiB is less than an HTTP door of the
 * product takes, and the answer to a large transcript carries its words twice, as data and as text.
 */
export const MAX_MESSAGE_BYTES = 64 * 1024 * 1024;
