import { ContextloomError } from '@contextloom/contracts';
import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/**
 * Reads JSON with comments and trailing commas, as editors keep configurations.
 * @throws ContextloomError `invalid`, naming the file, the line and the column
 */
export function parseJsonc(text: string, file: string): unknown {
  const plain = text.replace(/^\uFEFF/, '');
  const errors: ParseError[] = [];
  const value: unknown = parse(plain, errors, { allowTrailingComma: true });
  const [first] = errors;
  if (first === undefined) return value;
  const before = plain.slice(0, first.offset).split('\n');
  const place = `line ${before.length}, column ${(before.at(-1) ?? '').length + 1}`;
  throw new ContextloomError('invalid', `${file} is not valid JSON: ${printParseErrorCode(first.error)} at ${place}`, {
    field: file,
  });
}
