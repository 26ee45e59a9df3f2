import { describe, expect, it } from '@jest/globals';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { parseRecord } from '../../src/formats/sinks/csv-sink.ts';

const anyCells = fc.array(fc.constantFrom('a', ',', '\t', ';', ' ', '"', '""', '小', '\uFEFF', '\u2028', '\v'));

describe('a record of CSV', () => {
  it('has the cells that the parser finds, also where it quotes nothing and is only cut', () => {
    fc.assert(
      fc.property(anyCells, fc.constantFrom(',', '\t', ';'), (parts, delimiter) => {
        const record = parts.join('');
        if (record.split('"').length % 2 === 0) return;
        const options = { delimiter, relax_quotes: true, relax_column_count: true };
        let cells: unknown;
        try {
          [cells = []] = parse(record, options) as string[][];
        } catch {
          expect(() => parseRecord(record, delimiter)).toThrow();
          return;
        }
        expect(parseRecord(record, delimiter)).toEqual(cells);
      }),
    );
  });
});
