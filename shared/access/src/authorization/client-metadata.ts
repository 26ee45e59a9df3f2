/** What a program says of itself when it registers, as the provider's schema has it before it is checked. */
export interface ClientMetadata {
  redirect_uris?: unknown;
  scope?: unknown;
  application_type?: unknown;
}

const LOOPBACK = /^(?:localhost|127\.0\.0\.1|\[::1\])$/;
const MAX_REDIRECT_URIS = 10;
const MAX_URI_LENGTH = 1_024;
const MAX_TEXT_LENGTH = 4_096;

/** Why a person cannot be sent back to an address; undefined for one that can. Source: OAuth 2.1 (draft 13), section 2.3; RFC 8252. */
function findFault(uri: string): string | undefined {
  if (uri.length > MAX_URI_LENGTH || !URL.canParse(uri)) return 'must be addresses of at most 1024 characters';
  const { protocol, hostname, username, password } = new URL(uri);
  if (username !== '' || password !== '') return 'must not hold a user name';
  if (protocol === 'http:' && !LOOPBACK.test(hostname))
    return 'must be https, http on this machine, or of an application';
  return undefined;
}

/**
 * Completes what a program says of itself: scopes that there are not here are left out, and a program that is sent back to the
 * person's own machine may listen on any port there. Answers what is wrong, or undefined.
 */
export function completeClient(metadata: ClientMetadata, scopes: readonly string[]): string | undefined {
  const { redirect_uris: uris, scope } = metadata;
  if (!Array.isArray(uris)) return undefined; // The provider's schema tells.
  if (uris.length > MAX_REDIRECT_URIS) return `redirect_uris must be at most ${MAX_REDIRECT_URIS}`;
  const texts = uris.filter((uri): uri is string => typeof uri === 'string');
  for (const uri of texts) {
    const fault = findFault(uri);
    if (fault !== undefined) return `redirect_uris ${fault}`;
  }
  if (JSON.stringify(metadata).length > MAX_TEXT_LENGTH + MAX_REDIRECT_URIS * MAX_URI_LENGTH)
    return 'the metadata must be shorter';
  if (typeof scope === 'string') {
    const known = scope.split(' ').filter((one) => scopes.includes(one));
    metadata.scope = known.length > 0 ? known.join(' ') : undefined;
  }
  metadata.application_type = texts.every((uri) => /^https:/i.test(uri)) ? 'web' : 'native';
  return undefined;
}
