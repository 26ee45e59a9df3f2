/** Most of an error's body that is read, in characters. */
const MAX_ERROR_BODY = 10_000;

/** Statuses that send a request on as it is. */
const MOVED: readonly number[] = [307, 308];

/** Where a response sends a request on to, if that is the same server: another one must not get the key. */
function toNext({ status, headers }: Response, url: string): string | undefined {
  const location = headers.get('location');
  if (!MOVED.includes(status) || location === null || !URL.canParse(location, url)) return undefined;
  const next = new URL(location, url);
  return next.origin === new URL(url).origin ? next.href : undefined;
}

/**
 * What endpoints say of a refused request where OpenAI's API says `{error: {message}}`: FastAPI and others have a field of their
 * own, which the library would leave unread.
 */
async function withMessage(response: Response): Promise<Response> {
  const body = await response.text();
  const { status, headers } = response;
  const isOwn = /^\s*\{\s*"error"\s*:\s*\{/u.test(body) || /"error"\s*:\s*\{/u.test(body);
  const shown = isOwn ? body : JSON.stringify({ error: { message: body.slice(0, MAX_ERROR_BODY) } });
  const kept = new Headers(headers);
  // The body is no longer what these are about.
  for (const name of ['content-length', 'content-encoding', 'transfer-encoding']) kept.delete(name);
  kept.set('content-type', 'application/json');
  return new Response(shown, { status, headers: kept });
}

/**
 * The platform's fetch for one call: it follows a redirect within the same server once and no other, so that an error can name
 * its target, and keeps the text of an error.
 */
export async function fetchOnce(input: string | URL | Request, init?: RequestInit): Promise<Response> {
  const own: RequestInit = { ...init, redirect: 'manual' };
  const response = await fetch(input, own);
  const next = typeof input === 'string' ? toNext(response, input) : undefined;
  if (next !== undefined) {
    await response.body?.cancel();
    return fetch(next, own);
  }
  return response.status >= 400 ? withMessage(response) : response;
}
