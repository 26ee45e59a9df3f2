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

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', 'data must be JSON as export_data writes it', { field: 'data', cause });
  }
}

/**
 * Reads a document from text.
 * @throws ContextloomError `invalid`, naming the record and the field
 */
export function readDocument(text: string, format: TransferFormat): ParsedDocument {
  return parseInput(documentSchema, format === 'csv' ? fromCsv(text) : readJson(text), ['data']);
}
