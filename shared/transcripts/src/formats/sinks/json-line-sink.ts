import { findJsonFault } from '../json/json-syntax.ts';
import { isRecord } from '../read.ts';
import type { Out, Sink } from '../reader.ts';
import { unreadable } from '../unreadable.ts';
import { createLineSink } from './line-sink.ts';

type Value = Readonly<Record<string, unknown>>;

/** Reads JSON Lines: each line's object with its place (`line 3`); a line that is none is named, and the rest goes on. */
export function createJsonLineSink(onValue: (value: Value, at: string) => void, out: Out, onEnd?: () => void): Sink {
  return createLineSink((line, number) => {
    if (line.trim() === '') return;
    const at = `line ${number}`;
    const clean = number === 1 ? line.replace(/^\uFEFF/u, '') : line;
    let value: unknown;
    try {
      value = JSON.parse(clean);
    } catch (cause) {
      const reason = `is not JSON: ${findJsonFault(clean)?.problem ?? 'expected a value'}`;
      return out.fault(at, `it ${reason}`, unreadable(`${at} ${reason}`, cause));
    }
    if (isRecord(value)) onValue(value, at);
    else out.fault(at, 'it is not a JSON object', unreadable(`${at} is not a JSON object`));
  }, onEnd);
}
