export { type ConnectionStore, openConnectionStore } from './connection-store.ts';
export { openAuthorization } from './open-authorization.ts';
export { toAccessUpkeeps } from './upkeep.ts';
