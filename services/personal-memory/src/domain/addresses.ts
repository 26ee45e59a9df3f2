import { createHash } from 'node:crypto';

/** The address of an attribute of the profile. */
export const toFactAddress = (key: string): string => `fact:${key}`;
/** The address of an event. */
export const toEventAddress = (id: number): string => `event:${id}`;
/** The address of a person, a pet, a thing. */
export const toEntityAddress = (id: number): string => `entity:${id}`;
/** The address of what two of them are to each other. */
export const toRelationAddress = (id: number): string => `relation:${id}`;

/** What an address names here. */
export type Derived =
  | { readonly kind: 'fact'; readonly key: string }
  /** A value that an attribute had before. */
  | { readonly kind: 'past'; readonly key: string; readonly print: string }
  | { readonly kind: 'event' | 'entity' | 'relation'; readonly id: number };

/** What stands for a value in an address: edges have no words of anybody. */
export const toValuePrint = (value: string): string => createHash('sha256').update(value).digest('hex').slice(0, 16);

/** The address of a value that an attribute had before. */
export const toPastAddress = (key: string, value: string): string => `past:${toValuePrint(value)}:${key}`;

/** Reads an address; undefined of one that names something elsewhere. */
export function readAddress(address: string): Derived | undefined {
  if (address.startsWith('fact:')) return { kind: 'fact', key: address.slice('fact:'.length) };
  const past = /^past:(?<print>[\da-f]{16}):(?<key>.+)$/su.exec(address)?.groups;
  if (past !== undefined) return { kind: 'past', key: past['key'] ?? '', print: past['print'] ?? '' };
  const [, kind, id] = /^(event|entity|relation):([1-9]\d{0,14})$/u.exec(address) ?? [];
  return id === undefined ? undefined : { kind: kind as 'event' | 'entity' | 'relation', id: Number(id) };
}
