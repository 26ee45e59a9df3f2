export { auditOf, callerOf, principalOf, toAuthInfo } from './auth-info.ts';
export { type Authorize, createAuthorize } from './authorize-house.ts';
export { type Activity, openActivity } from './calls/activity.ts';
export type { Audit, AuditEntry, AuditLine } from './calls/audit.ts';
export { createCallMetrics } from './calls/metrics.ts';
export { narrowBy, PRINCIPAL_KEY } from './credentials/house.ts';
export { isExpired, type StoredKey } from './credentials/keys.ts';
export { addKey, type KeyFileOptions, listKeys, type NewKey, revokeKey, rotateKey } from './credentials/manage-keys.ts';
export { updateFile } from './credentials/update-file.ts';
export { type Admit, createAdmit, PRINCIPAL_HEADER } from './guard.ts';
export { identifyAnyone } from './identify.ts';
export { type Access, type AccessConfig, openAccess, openHouseSecret } from './open-access.ts';
export {
  type AccessScope,
  accessScopes,
  localPrincipal,
  narrowPrincipal,
  onlyReached,
  type Principal,
  type Reach,
  reachOf,
  requireReached,
} from './principal/principal.ts';
export { accessSettings } from './settings.ts';
