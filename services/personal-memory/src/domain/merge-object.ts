import type { JsonObject } from '@contextloom/contracts';

/** Merges an update into an object key by key; null removes a key. `Object.fromEntries` keeps a key such as `__proto__`, which an assignment would lose. */
export function mergeObject(before: JsonObject, update: JsonObject): JsonObject {
  const merged = new Map([...Object.entries(before), ...Object.entries(update)]);
  return Object.fromEntries([...merged].filter(([, value]) => value !== null));
}
