import { existsSync, readdirSync } from 'node:fs';

/** The longest name of a folder that common file systems take, in bytes, with room for what is put behind it. */
const MAX_BYTES = 240;
/** Names that Windows keeps for devices, with or without an extension. */
const DEVICE = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/u;

const escapeByte = (byte: number): string => `%${byte.toString(16).padStart(2, '0')}`;
const toBytes = (character: string): string => [...Buffer.from(character, 'utf8')].map(escapeByte).join('');

/**
 * Names the folder of a user: two ids never share one, on no file system, and it stays inside its parent. Letters that differ by
 * case alone, and whatever is not a small letter, a digit or one of `._-`, are written as the bytes of their UTF-8 (`%xx`).
 * @returns undefined for an id whose name no file system takes
 */
export function toFolderName(userId: string): string | undefined {
  const escaped = Array.from(userId, (character) =>
    /^[a-z0-9._-]$/u.test(character) ? character : toBytes(character),
  );
  const ends = [0, escaped.length - 1];
  const name = escaped.map((part, index) => (part === '.' && ends.includes(index) ? toBytes('.') : part)).join('');
  const safe = DEVICE.test(name) ? `${toBytes(name.charAt(0))}${name.slice(1)}` : name;
  return safe.length === 0 || safe.length > MAX_BYTES ? undefined : safe;
}

/** Whose folder it is; undefined for a name that {@link toFolderName} does not write. */
function fromFolderName(name: string): string | undefined {
  try {
    const userId = decodeURIComponent(name);
    return toFolderName(userId) === name ? userId : undefined;
  } catch {
    return undefined; // Not of ours: a folder that somebody else put there.
  }
}

/** The users who have a folder in this one, in the order of the folders' names. */
export function listWorkspaces(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).flatMap((name) => fromFolderName(name) ?? []) : [];
}
