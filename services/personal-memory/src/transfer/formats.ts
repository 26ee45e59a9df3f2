import { ContextloomError, parseInput } from '@contextloom/contracts';
import { documentSchema, type MemoryDocument, type ParsedDocument } from '../domain/transfer/document.ts';
import { fromCsv, toCsv } from './csv.ts';

/** The formats in which memories leave and enter. */
export const transferFormats = ['json', 'csv'] as const;
/** One of {@link transferFormats}. */
export type TransferFormat = (typeof transferFormats)[number];

/** Writes a document as text. */
export function writeDocument(document: MemoryDocument, format: TransferFormat): string {
  return format === 'csv' ? toCsv(document) : JSON.stringify(document, null, 2);
}

/**
 * Reads JSON from a source, which the error names.
 * @throws ContextloomError `invalid`
 */
export function readJson(text: string, source: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', `${source} must be JSON as export_data writes it`, { field: source, cause });
  }
}

/**
 * Reads a document from text.
 * @throws ContextloomError `invalid`, naming the source, the record and the field
 */
export function readDocument(
  text: string,
  { format, source }: { readonly format: TransferFormat; readonly source: string },
): ParsedDocument {
  const document = format === 'csv' ? fromCsv(text, source) : readJson(text, source);
  return parseInput(documentSchema, document, [source]);
}
