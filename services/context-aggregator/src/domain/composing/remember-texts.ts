import { LRUCache } from 'lru-cache';

/**
 * Caches the results of a pure function of texts: the next question of a user finds mostly the same memories.
 * @param maxCharacters of all texts that are remembered, in UTF-16 code units; the one used longest ago goes first
 */
export function rememberTexts<T extends object | number>(
  read: (text: string) => T,
  maxCharacters: number,
): (text: string) => T {
  const known = new LRUCache<string, T>({
    maxSize: maxCharacters,
    sizeCalculation: (_value, text) => Math.max(1, text.length),
  });
  return (text) => {
    const earlier = known.get(text);
    if (earlier !== undefined) return earlier;
    const value = read(text);
    known.set(text, value);
    return value;
  };
}
