/** The address of an attribute of the profile. */
export const toFactAddress = (key: string): string => `fact:${key}`;
/** The address of an event. */
export const toEventAddress = (id: number): string => `event:${id}`;

/** What an address names here. */
export type Derived = { readonly kind: 'fact'; readonly key: string } | { readonly kind: 'event'; readonly id: number };

/** Reads an address; undefined of one that names something elsewhere. */
export function readAddress(address: string): Derived | undefined {
  if (address.startsWith('fact:')) return { kind: 'fact', key: address.slice('fact:'.length) };
  const id = /^event:([1-9]\d{0,14})$/u.exec(address)?.[1];
  return id === undefined ? undefined : { kind: 'event', id: Number(id) };
}
