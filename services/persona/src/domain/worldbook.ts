import { ContextloomError, parseInput } from '@contextloom/contracts';
import { z } from 'zod';
import { parseJson, type SourceFile } from './source-file.ts';

/** A piece of text of a world book entry. */
export interface WorldBookChunk {
  readonly id: string;
  readonly text: string;
}

/** An entry of a persona's world book. */
export interface WorldBookEntry {
  readonly id: string;
  readonly keywords: readonly string[];
  readonly title: string;
  readonly chunks: readonly WorldBookChunk[];
}

const idSchema = z
  .union([z.string().trim().min(1), z.number()], { error: 'must be a text or a number' })
  .transform(String);

const chunkSchema = z
  .object({ id: idSchema.nullish(), text: z.string().nullish(), content: z.string().nullish() })
  .transform(({ id, text, content }) => ({ id, text: text ?? content ?? '' }))
  .refine(({ text }) => text.trim() !== '', { error: 'needs a "text" (or "content")' });

/** Both shapes of an entry at once: `keys`/`comment` with chunks of `text`, `keywords`/`title` with chunks of `content`. */
const entrySchema = z.object({
  id: idSchema.nullish(),
  keys: z.array(z.string()).nullish(),
  keywords: z.array(z.string()).nullish(),
  comment: z.string().nullish(),
  title: z.string().nullish(),
  chunks: z.array(chunkSchema).min(1, 'must have at least one chunk'),
});

interface RawEntry {
  readonly value: unknown;
  /** The position of the entry in its file. */
  readonly path: readonly (string | number)[];
  /** The id of an entry without an id of its own. */
  readonly id: string;
}

/**
 * Reads all files of a world book. A file is a list of entries, `{"entries": …}`, an object of entries by id, or one entry.
 * @throws ContextloomError `invalid`, naming the file and the field; also when two entries have the same id
 */
export function parseWorldBook(files: readonly SourceFile[]): readonly WorldBookEntry[] {
  const entries = new Map<string, { readonly entry: WorldBookEntry; readonly path: string }>();
  for (const file of files) {
    for (const raw of toRawEntries(file)) {
      const entry = parseEntry(file, raw);
      const earlier = entries.get(entry.id);
      if (earlier !== undefined) {
        const message = `${file.path} has an entry "${entry.id}", and ${earlier.path} has one too; give one of them another id`;
        throw new ContextloomError('invalid', message, { field: file.path });
      }
      entries.set(entry.id, { entry, path: file.path });
    }
  }
  return [...entries.values()].map(({ entry }) => entry);
}

function toRawEntries(file: SourceFile): readonly RawEntry[] {
  const json = parseJson(file);
  const stem = file.path.replace(/^.*\//, '').replace(/\.json$/i, '');
  if (isRecord(json) && Array.isArray(json['chunks'])) return [{ value: json, path: [], id: stem }];
  const isWrapped = isRecord(json) && 'entries' in json;
  const entries = isWrapped ? json['entries'] : json;
  const root = isWrapped ? ['entries'] : [];
  if (Array.isArray(entries)) {
    return entries.map((value: unknown, at) => ({ value, path: [...root, at], id: `${stem}-${at + 1}` }));
  }
  if (isRecord(entries)) return Object.entries(entries).map(([id, value]) => ({ value, path: [...root, id], id }));
  throw new ContextloomError('invalid', `${file.path} must be a list of entries or an object of entries by id`, {
    field: file.path,
  });
}

function parseEntry(file: SourceFile, raw: RawEntry): WorldBookEntry {
  const parsed = parseInput(entrySchema, raw.value, [file.path, ...raw.path]);
  const id = parsed.id ?? raw.id;
  const keywords = [...(parsed.keys ?? []), ...(parsed.keywords ?? [])].map((keyword) => keyword.trim());
  return {
    id,
    keywords: [...new Set(keywords)].filter((keyword) => keyword !== ''),
    title: parsed.title ?? parsed.comment ?? '',
    chunks: parsed.chunks.map((chunk, at) => ({ id: chunk.id ?? `${id}-${at + 1}`, text: chunk.text })),
  };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
