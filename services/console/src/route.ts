/** The rooms of the page, in the order of its menu. */
export const rooms = [
  'memories',
  'things',
  'prompt',
  'conversations',
  'decisions',
  'users',
  'keys',
  'servers',
  'activity',
] as const;
/** One of {@link rooms}. */
export type Room = (typeof rooms)[number];

/** Where the reader is: a room and the question that another room sent along. */
export interface Place {
  readonly room: Room;
  readonly given: URLSearchParams;
}

/** Writes the address of a place, such as `#prompt?persona=marlow`. */
export function toHash(room: Room, given: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(given).toString();
  return query === '' ? `#${room}` : `#${room}?${query}`;
}

/** Reads an address; an unknown one leads to the memories. */
export function parseHash(hash: string): Place {
  const [name = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { room: rooms.find((room) => room === name) ?? 'memories', given: new URLSearchParams(query) };
}
