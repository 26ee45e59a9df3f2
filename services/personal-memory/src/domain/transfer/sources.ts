import { readAddress, toEventAddress } from '../addresses.ts';

/** Addresses with the numbers that events have elsewhere; those of events that are not there are left out. */
export function renumberSources(
  sources: readonly string[],
  toNumber: (event: number) => number | undefined,
): readonly string[] {
  return sources.flatMap((one) => {
    const address = readAddress(one);
    if (address?.kind !== 'event') return [one];
    const number = toNumber(address.id);
    return number === undefined ? [] : [toEventAddress(number)];
  });
}
