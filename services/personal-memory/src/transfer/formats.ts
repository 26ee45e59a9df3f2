import { ContextloomError } from '@contextloom/contracts';
import type { TransferFormat } from '@contextloom/contracts/personal-memory';
import { type MemoryDocument, type ParsedDocument, parseDocument } from '../domain/transfer/document.ts';
import { fromCsv, toCsv } from './csv.ts';

/** Writes a document as text. */
export async function writeDocument(document: MemoryDocument, format: TransferFormat): Promise<string> {
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
export async function readDocument(
  text: string,
  { format, source }: { readonly format: TransferFormat; readonly source: string },
): Promise<ParsedDocument> {
  return parseDocument(format === 'csv' ? await fromCsv(text, source) : readJson(text, source), source);
}
