import type { JsonObject } from '@contextloom/contracts';

/** What an entry's comment says of it, such as `<!-- id: 5f0c…; updated: …; metadata: {"tags":["tea"]} -->`. */
export interface Mark {
  readonly id: string;
  /** When a tool last changed the entry, ISO 8601 UTC. */
  readonly updated?: string | undefined;
  /** The text stands in a code fence that is not part of it. */
  readonly isFenced?: boolean;
  readonly metadata?: JsonObject | undefined;
  /** Fields that this program does not know, as written. */
  readonly others?: readonly string[];
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i;
const comment = /^ {0,3}<!--[ \t]*id:[ \t]*([^;\s]{1,100})[ \t]*((?:;[^\r\n]*?)?)-->[ \t]*/;
const metadataField = /;[ \t]*metadata:[ \t]*(?=\{)/;

function parseMetadata(json: string): JsonObject | undefined {
  try {
    return JSON.parse(json) as JsonObject;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return undefined; // A person's slip of the pen: the field stays as it is written.
  }
}

/** The metadata at the end of a mark's fields, and what stands before it. */
function splitMetadata(written: string): { readonly fields: string; readonly metadata: JsonObject | undefined } {
  const found = written.trimEnd().endsWith('}') ? metadataField.exec(written) : null;
  const metadata = found === null ? undefined : parseMetadata(written.slice(found.index + found[0].length));
  return metadata === undefined || found === null
    ? { fields: written, metadata: undefined }
    : { fields: written.slice(0, found.index), metadata };
}

/** Reads the mark that a text begins with, and how long it is; undefined when it begins with none. */
export function parseMark(text: string): { readonly mark: Mark; readonly length: number } | undefined {
  const [whole, id = '', written = ''] = comment.exec(text) ?? [];
  if (whole === undefined || !uuid.test(id)) return undefined;
  const { fields: rest, metadata } = splitMetadata(written);
  const fields = rest.split(';').map((field) => field.trim());
  const updated = fields.find((field) => /^updated:/.test(field))?.replace(/^updated:[ \t]*/, '');
  const isTime = updated !== undefined && !Number.isNaN(Date.parse(updated));
  const known = (field: string) => field === '' || field === 'form: fenced' || (isTime && /^updated:/.test(field));
  const mark = {
    id: id.toLowerCase(),
    ...(isTime && { updated: new Date(updated).toISOString() }),
    isFenced: fields.includes('form: fenced'),
    ...(metadata !== undefined && { metadata }),
    others: fields.filter((field) => !known(field)),
  };
  return { mark, length: whole.length };
}

/** Writes a mark on one line. */
export function printMark({ id, updated, isFenced = false, metadata, others = [] }: Mark): string {
  const fields = [
    `id: ${id}`,
    ...(updated === undefined ? [] : [`updated: ${updated}`]),
    ...(isFenced ? ['form: fenced'] : []),
    ...others,
    // Inside of JSON these signs stand in strings alone; written so, none can end the comment.
    ...(metadata === undefined || Object.keys(metadata).length === 0
      ? []
      : [`metadata: ${JSON.stringify(metadata).replaceAll('<', '\\u003c').replaceAll('>', '\\u003e')}`]),
  ];
  return `<!-- ${fields.join('; ')} -->`;
}
