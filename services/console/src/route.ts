/** The rooms of a person, in the order of the menu. */
export const personRooms = ['home', 'memories', 'things', 'ask', 'you'] as const;
/** What one opens from the room about oneself. */
const ownRooms = ['conversations', 'decisions'] as const;
/** The rooms of those who run the servers. */
export const adminRooms = ['users', 'keys', 'servers', 'activity'] as const;
const rooms = [...personRooms, ...ownRooms, ...adminRooms];
/** One of the rooms of the page. */
export type Room = (typeof rooms)[number];

/** Where the reader is: a room and the question that another room sent along. */
export interface Place {
  readonly room: Room;
  readonly given: URLSearchParams;
}

/** Writes the address of a place, such as `#ask?persona=marlow`. */
export function toHash(room: Room, given: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(given).toString();
  return query === '' ? `#${room}` : `#${room}?${query}`;
}

/** Whether only those who run the servers are shown a room. */
export const isOfAdministration = (room: Room): boolean => adminRooms.some((one) => one === room);

/** The entry of the menu that a room belongs to. */
export const toEntry = (room: Room): Room => (ownRooms.some((one) => one === room) ? 'you' : room);

/** Names of pages in addresses that people have kept. */
const FORMER: Readonly<Partial<Record<string, Room>>> = Object.assign(Object.create(null), { prompt: 'ask' });

/** Reads an address; an unknown one leads home. */
export function parseHash(hash: string): Place {
  const [name = '', query = ''] = hash.replace(/^#/, '').split('?');
  return { room: rooms.find((room) => room === name) ?? FORMER[name] ?? 'home', given: new URLSearchParams(query) };
}
