import { statSync } from 'node:fs';

/** How large a database is with its write-ahead log, in bytes; 0 for one that is missing. */
export function sizeOfDatabase(file: string): number {
  const sizeOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0;
  return sizeOf(file) + sizeOf(`${file}-wal`);
}
