import { ContextloomError } from '@contextloom/contracts';

/** More encodings within one another than anybody has a reason for. */
const MAX_ENCODINGS = 4;

const refused = (): ContextloomError =>
  new ContextloomError(
    'malformed',
    'the path must stay below /v1: no dot segments, backslashes or control characters',
    {
      field: 'path',
    },
  );

/** Escapes of bytes; `%u002e` is one to old servers alone, and means nothing to others. */
const ESCAPES = /(?:%[\da-f]{2})+|%u[\da-f]{4}/giu;

function decodeOnce(path: string): string {
  try {
    return path.replace(ESCAPES, decodeURIComponent);
  } catch (cause) {
    if (!(cause instanceof URIError)) throw cause;
    throw refused(); // Bytes that are no UTF-8 are what each server makes of them.
  }
}

/** What a path means to servers that decode it more often than they should. */
function decodeFully(path: string): string {
  let text = path;
  for (let round = 0; round < MAX_ENCODINGS; round += 1) {
    const decoded = decodeOnce(text);
    if (decoded === text) return text;
    text = decoded;
  }
  throw refused();
}

/** Dots in front of `;`, such as `..;a`, lead upwards for servers that know parameters of a segment. Source: RFC 3986, section 3.3. */
const isDotted = (segment: string): boolean => /^\.{1,2}$/u.test(segment.split(';', 1).join('').trim());

/**
 * Makes the address of a request at the provider: its own path behind `/v1`, as it came, when nobody on the way can read it as one
 * that leads elsewhere.
 * @param target the request's path and query behind `/v1`, such as `/chat/completions?n=1`
 * @throws ContextloomError `malformed` for one that is, or may be read as, no path below `/v1`
 */
export function toProviderAddress(providerUrl: string, target: string): URL {
  const base = new URL(providerUrl.replace(/\/+$/u, ''));
  const [path = ''] = target.split(/[?#]/u, 1);
  const meant = decodeFully(path).normalize('NFKC');
  const isPlain = path.startsWith('/') && !/[\\\p{Cc}]/u.test(meant) && !meant.split('/').some(isDotted);
  if (!isPlain) throw refused();
  const url = new URL(`${base.href.replace(/\/+$/u, '')}${target}`);
  const depth = (base.pathname.replace(/\/+$/u, '') + path).split('/').length;
  const isBelow = url.pathname.startsWith(base.pathname) && url.pathname.split('/').length === depth;
  if (url.origin !== base.origin || !isBelow) throw refused();
  return url;
}
