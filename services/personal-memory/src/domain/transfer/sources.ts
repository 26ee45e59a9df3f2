import { readAddress, toEntityAddress, toEventAddress } from '../addresses.ts';

/** The numbers that events and entities have elsewhere. */
export interface Renumbering {
  readonly event: (id: number) => number | undefined;
  readonly entity: (id: number) => number | undefined;
}

/** Addresses with the numbers that events and entities have elsewhere; those of what is not there, and of relations, are left out. */
export function renumberSources(sources: readonly string[], { event, entity }: Renumbering): readonly string[] {
  return sources.flatMap((one) => {
    const address = readAddress(one);
    if (address === undefined || !('id' in address)) return [one];
    if (address.kind === 'relation') return [];
    const isEvent = address.kind === 'event';
    const number = (isEvent ? event : entity)(address.id);
    return number === undefined ? [] : [isEvent ? toEventAddress(number) : toEntityAddress(number)];
  });
}
