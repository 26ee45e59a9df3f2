export { auditOf, callerOf, principalOf, toAuthInfo } from './auth-info.ts';
export type { Authorization } from './authorization/authorization.ts';
export { withToken } from './bearer-token.ts';
export { addressOf } from './calls/address.ts';
export { type Audit, type AuditEntry, type AuditLine, codeOf } from './calls/audit.ts';
export { type CallMetrics, createCallMetrics } from './calls/metrics.ts';
export { type Authorize, createAuthorize } from './create-authorize.ts';
export { narrowBy, PRINCIPAL_KEY } from './credentials/installation-secret.ts';
export { type KeyDatabase, openKeyDatabase } from './credentials/key-database.ts';
export { isExpired } from './credentials/keys.ts';
export { addKey, type KeyFileOptions, listKeys, type NewKey, revokeKey, rotateKey } from './credentials/manage-keys.ts';
export type { StoredKey } from './credentials/stored-key.ts';
export {
  type Admission,
  type Admit,
  admissionOf,
  createAdmit,
  type Guard,
  noteAdmission,
  PRINCIPAL_HEADER,
  requireIdentity,
  senderOf,
} from './guard.ts';
export { identifyAnyone, nobody } from './identify.ts';
export { type Access, type AccessConfig, openAccess, openInstallationSecret } from './open-access.ts';
export {
  type AccessScope,
  type AllowedIds,
  accessScopes,
  localPrincipal,
  onlyReached,
  type Principal,
  reachOf,
  requireReached,
  type SubjectKind,
} from './principal/principal.ts';
export { requireScope, resolveSubject, type Subject, toSubject } from './principal/subject.ts';
export { accessSettings } from './settings.ts';
