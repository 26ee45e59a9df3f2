/** Most clients, or users of one client, of which something is kept open. */
export const MAX_CLIENTS = 1_024;

/** Puts an entry last: a map keeps the order in which entries were put in, so that the first is the one unused for longest. */
export function putLast<K, V>(entries: Map<K, V>, key: K, value: V): void {
  entries.delete(key);
  entries.set(key, value);
}

/** Takes out the idle entry that was unused for longest, where there are as many entries as there may be. */
export function takeLeastRecent<K, V>(
  entries: Map<K, V>,
  isIdle: (value: V) => boolean,
  max = MAX_CLIENTS,
): V | undefined {
  if (entries.size < max) return undefined;
  for (const [key, value] of entries) {
    if (!isIdle(value)) continue;
    entries.delete(key);
    return value;
  }
  return undefined;
}
