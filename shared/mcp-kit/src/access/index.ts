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
