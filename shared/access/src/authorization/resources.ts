import { connectionScopes } from './load-provider.ts';

/** What tokens are for: the whole server at its MCP address, or one of the profiles below it. */
export interface Resources {
  /** What a program gets that names none. */
  readonly whole: string;
  readonly find: (address: string) => { readonly audience: string; readonly scopes: readonly string[] } | undefined;
  /** What clients read about the resource at a path; undefined where there is none. Source: RFC 9728, section 2. */
  readonly describe: (path: string) => object | undefined;
  /** Whether a token for one of these audiences is good at a path. */
  readonly covers: (audiences: readonly string[], path: string) => boolean;
}

const MCP = /^\/mcp(?:\/[\w-]{1,64})?$/;
/** Reads alone, whoever asks. */
const READ_ONLY = '/mcp/connector';

/** The resources of a server. */
export function createResources(issuer: string): Resources {
  const toPath = (address: string): string | undefined => {
    if (!URL.canParse(address)) return undefined;
    const { origin, pathname, search, hash, username, password } = new URL(address);
    if (origin !== issuer || `${search}${hash}${username}${password}` !== '') return undefined;
    const path = pathname.replace(/\/$/, '');
    return path === '' || MCP.test(path) ? path : undefined;
  };
  const toScopes = (path: string): readonly string[] => (path === READ_ONLY ? ['read'] : connectionScopes);
  return {
    whole: `${issuer}/mcp`,
    find: (address) => {
      const path = toPath(address);
      return path === undefined ? undefined : { audience: `${issuer}${path}`, scopes: toScopes(path) };
    },
    describe: (path) => {
      if (path !== '' && !MCP.test(path)) return undefined;
      return {
        resource: `${issuer}${path}`,
        authorization_servers: [issuer],
        bearer_methods_supported: ['header'],
        scopes_supported: toScopes(path),
        resource_name: 'Contextloom',
      };
    },
    covers: (audiences, path) =>
      audiences.some((audience) => {
        const base = audience.slice(issuer.length);
        return audience.startsWith(issuer) && (path === base || path.startsWith(`${base}/`));
      }),
  };
}
