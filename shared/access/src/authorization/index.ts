export { type ConnectionStore, openConnectionStore } from './connection-store.ts';
export { openAuthorization } from './open-authorization.ts';
