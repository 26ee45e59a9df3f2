import { z } from 'zod';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Why an address cannot be the one under which a server is reached; undefined for one that can. */
function findFault(text: string): string | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) return 'must be an https address';
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    return 'must begin with https://, since keys and tokens travel over it; http:// is for localhost alone';
  }
  const { pathname, search, hash, username, password } = url;
  if (pathname !== '/' || `${search}${hash}${username}${password}` !== '') {
    return 'must be an origin such as https://memory.example.org, without a path';
  }
  return undefined;
}

/** Reads the origin under which a server is reached, such as `https://memory.example.org`. */
export const publicUrl = z
  .string()
  .superRefine((text, context) => {
    const message = findFault(text.trim());
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  })
  .transform((text) => new URL(text.trim()).origin);
