export { principalOf } from './auth-info.ts';
export { type Authorize, createAuthorize } from './authorize-house.ts';
export { PRINCIPAL_HEADER } from './guard.ts';
export { narrowBy, PRINCIPAL_KEY } from './house.ts';
export { isExpired, type StoredKey } from './keys.ts';
export { addKey, type KeyFileOptions, listKeys, type NewKey, revokeKey, rotateKey } from './manage-keys.ts';
export { createCallMetrics } from './metrics.ts';
export { type Access, type AccessConfig, openAccess, openHouseSecret } from './open-access.ts';
export {
  type AccessScope,
  accessScopes,
  localPrincipal,
  narrowPrincipal,
  type Principal,
  type Reach,
  reachOf,
  requireReached,
} from './principal.ts';
export { accessSettings } from './settings.ts';
