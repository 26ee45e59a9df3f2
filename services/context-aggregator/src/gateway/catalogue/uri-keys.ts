import type { Provider } from '../messages/provider.ts';

/** The schemes of this product's resources: no foreign server gets them, not even while the server that has them is away. */
const OWN_SCHEMES = ['memory', 'mirix'];

/** A resource or a template of a server, by its URI there. */
interface Listed {
  readonly provider: Provider;
  readonly own: string;
}

/** What is known of those who list resources. */
export interface UriKeysOptions {
  /** URIs and templates of our own servers. */
  readonly ours: readonly string[];
  /** The names of all servers. */
  readonly servers: readonly string[];
}

/**
 * Finds under which URI clients see each: its own where nobody else has it, else `<server>+<uri>`. Our servers come first,
 * whatever their place, and a foreign server never gets a URI of a scheme that one of ours uses, or one that reads as another
 * server's.
 */
export function toUriKeys<T extends Listed>(
  listed: readonly T[],
  { ours, servers }: UriKeysOptions,
): ReadonlyMap<T, string> {
  const schemes = new Set(['', ...OWN_SCHEMES, ...ours.map(toScheme)]);
  const isOurs = ({ provider }: T): boolean => provider.trust !== 'third-party';
  const mayBePlain = ({ own }: T): boolean =>
    !schemes.has(toScheme(own)) && !servers.some((server) => own.startsWith(`${server}+`));
  const keys = new Map<T, string>();
  const taken = new Set<string>();
  for (const one of [...listed.filter(isOurs), ...listed.filter((other) => !isOurs(other))]) {
    const isPlain = (isOurs(one) || mayBePlain(one)) && !taken.has(one.own);
    const key = isPlain ? one.own : `${one.provider.name}+${one.own}`;
    taken.add(key);
    keys.set(one, key);
  }
  return keys;
}

/** Empty where a template has none of its own: it could be any. */
const toScheme = (uri: string): string => /^[a-z][a-z\d+.-]*(?=:)/iu.exec(uri)?.[0].toLowerCase() ?? '';
