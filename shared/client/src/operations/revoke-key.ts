// Written by "npm run client:operations" from the operations of services/context-aggregator: edit those instead.

/**
 * Arguments of `revoke_key`: Revoke a key.
 */
export interface RevokeKeyInput {
  name: string;
}

/**
 * The answer of `revoke_key`.
 */
export interface RevokeKeyOutput {
  name: string;
  revoked: true;
}
