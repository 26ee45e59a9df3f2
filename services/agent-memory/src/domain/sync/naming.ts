import { createHash } from 'node:crypto';
import type { ParsedEntry } from '../grammar/parsed-entry.ts';

/** An entry of a file, with its id. */
export interface NamedEntry {
  readonly parsed: ParsedEntry;
  readonly id: string;
  /** Whether the id has yet to be written into the file. */
  readonly isUnwritten: boolean;
}

/** A UUID (version 8, RFC 9562) that follows from an entry alone: the same entry always gets the same id. */
function deriveId(path: string, { date, time, content }: ParsedEntry, attempt: number): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([path, date, time, content, attempt]))
    .digest('hex');
  return [
    hash.slice(0, 8),
    hash.slice(8, 12),
    `8${hash.slice(13, 16)}`,
    `a${hash.slice(17, 20)}`,
    hash.slice(20, 32),
  ].join('-');
}

/** How the entries of a file get their ids. */
export interface NamingOptions {
  /** Whether another file has an entry with the id. */
  readonly isElsewhere: (id: string) => Promise<boolean>;
  /**
   * Whether an id that stands in two files is to be replaced. While a person moves an entry it does for a moment, and has to
   * stay what it is.
   */
  readonly isSettling: boolean;
}

/** Gives every entry of a file an id: its own, or a derived one where it has none, or one that is another's. */
export async function nameEntries(
  path: string,
  entries: readonly ParsedEntry[],
  { isElsewhere, isSettling }: NamingOptions,
): Promise<readonly NamedEntry[]> {
  const taken = new Set(entries.flatMap(({ mark }) => mark?.id ?? []));
  const used = new Set<string>();
  // Entries that are the same go on where the last one of them found its id.
  const attempts = new Map<string, number>();
  const derive = (entry: ParsedEntry): string => {
    const first = deriveId(path, entry, 0);
    for (let attempt = attempts.get(first) ?? 0; ; attempt += 1) {
      const id = deriveId(path, entry, attempt);
      attempts.set(first, attempt + 1);
      if (!taken.has(id)) return id;
    }
  };
  const named: NamedEntry[] = [];
  for (const parsed of entries) {
    const own = parsed.mark?.id;
    const isFirst = own !== undefined && !used.has(own);
    if (own !== undefined) used.add(own);
    const isOwn = isFirst && !(await isElsewhere(own));
    const id = isOwn ? own : derive(parsed);
    taken.add(id);
    named.push({ parsed, id, isUnwritten: !isOwn && parsed.inText !== true && (isSettling || !isFirst) });
  }
  return named;
}
