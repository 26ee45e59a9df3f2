import {
  ContextloomError,
  isWordOfPeople,
  type JsonObject,
  readSaidBy,
  type Trust,
  toLeastTrust,
  toSaidBy,
  withTrustOfSources,
} from '@contextloom/contracts';
import { readAddress } from '../addresses.ts';
import type { MemoryReader } from '../store.ts';

/** Who said the events among what something was drawn from, as far as they tell. */
async function readSources(sources: readonly string[] = [], memory: MemoryReader): Promise<readonly Trust[]> {
  const ids = sources.flatMap((one) => {
    const address = readAddress(one);
    return address?.kind === 'event' ? [address.id] : [];
  });
  if (ids.length === 0) return [];
  return toSaidBy((await memory.events({ ids })).flatMap(({ metadata }) => readSaidBy(metadata)));
}

/**
 * Takes into the profile only what people said.
 * @throws ContextloomError `invalid` for the word of an assistant, a document or a tool
 */
export async function requireWordOfPeople(
  {
    trust,
    derived_from: sources,
  }: { readonly trust?: Trust | undefined; readonly derived_from?: readonly string[] | undefined },
  memory: MemoryReader,
): Promise<void> {
  const least = toLeastTrust([...(trust === undefined ? [] : [trust]), ...(await readSources(sources, memory))]);
  if (least === undefined || isWordOfPeople(least)) return;
  const message = `the profile, people and things have what the user or another person said; this was said by: ${least}. Add an event or a note instead`;
  throw new ContextloomError('invalid', message, { field: trust === least ? 'trust' : 'derived_from' });
}

/** The metadata of an event with who said what it was drawn from: it is believed as little as the least of that. */
export async function withSourceTrust(
  metadata: JsonObject,
  sources: readonly string[] | undefined,
  memory: MemoryReader,
): Promise<JsonObject> {
  return withTrustOfSources(metadata, await readSources(sources, memory));
}
