import { ContextloomError } from '@contextloom/contracts';
import { expect } from '@jest/globals';
import fc from 'fast-check';
import { addEntry, changeEntry, markEntries, removeEntries } from '../src/domain/grammar/edit.ts';
import { parseEntries } from '../src/domain/grammar/entry-file.ts';
import type { ParsedEntry } from '../src/domain/grammar/parsed-entry.ts';
import { content, document } from './support/documents.ts';

const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const told = ({ date, time, contentType, label, content: text, mark }: ParsedEntry) => ({
  date,
  time,
  contentType,
  label,
  text,
  id: mark?.id,
  metadata: mark?.metadata,
});

/** What is left of a text when what was put into it is taken out again, white space aside. */
const isSubsequence = (inner: string, outer: string): boolean => {
  let at = 0;
  for (const character of outer) if (character === inner[at]) at += 1;
  return at >= inner.length;
};

/** Adds, marks, changes and removes entries of random files: no other entry changes, and no text of a person's is lost. */
export function checkGrammar(numRuns: number): void {
  const path = fc.constantFrom('memory/2026-02-14.md', 'MEMORY.md');
  const metadata = fc.option(fc.dictionary(fc.string({ maxLength: 6 }), fc.string()), { nil: undefined });
  fc.assert(
    fc.property(path, document, content, content, metadata, (file, text, first, second, data) => {
      const before = parseEntries(file, text);
      const marks = new Map(before.map(({ start }, n) => [start, { id: uuid(n) }]));
      const marked = markEntries(file, text, marks) ?? text;
      expect(isSubsequence(text.replace(/<!-- id: [-\da-f]{36}.*?-->/g, ''), marked)).toBe(true);
      const others = parseEntries(file, marked).map(told);
      expect(others.map((one) => one.text)).toEqual(before.map((one) => one.content));

      const entry = { date: '2026-02-14', time: '10:30', contentType: 'decision' as const, content: first };
      let added: string;
      try {
        added = addEntry(file, marked, { ...entry, mark: { id: uuid(99), metadata: data } }, 'zh');
      } catch (error) {
        // Something is left open in the file: the caller is told, and nothing is written.
        expect(error).toBeInstanceOf(ContextloomError);
        return;
      }
      expect(isSubsequence(marked, added)).toBe(true);
      const isNew = ({ mark }: ParsedEntry) => mark?.id === uuid(99);
      const [own] = parseEntries(file, added).filter(isNew);
      expect(own?.content).toBe(first);
      expect(own?.mark?.metadata ?? {}).toEqual(data ?? {});
      expect(
        parseEntries(file, added)
          .filter((one) => !isNew(one))
          .map(told),
      ).toEqual(others);
      if (own === undefined) return;

      // Whatever the entry says, what is written after it is read.
      const follower = addEntry(file, added, { ...entry, content: 'next', mark: { id: uuid(98) } }, 'zh');
      expect(parseEntries(file, follower).find(isNew)?.content).toBe(first);

      let changed: string;
      try {
        changed = changeEntry(file, added, own, { mark: own.mark ?? { id: '' }, content: second }, 'zh');
      } catch (error) {
        // The new words would close what the file leaves open: told as well.
        expect(error).toBeInstanceOf(ContextloomError);
        return;
      }
      const [again] = parseEntries(file, changed).filter(isNew);
      expect(again?.content).toBe(second);
      expect(
        parseEntries(file, changed)
          .filter((one) => !isNew(one))
          .map(told),
      ).toEqual(others);
      // Outside of the entry not a byte is another.
      expect(changed.slice(0, own.markStart)).toBe(added.slice(0, own.markStart));
      expect(changed.endsWith(added.slice(own.end))).toBe(true);

      const removed = removeEntries(file, changed, [again ?? own]);
      expect(parseEntries(file, removed).map(told)).toEqual(others);
      expect(isSubsequence(marked, removed)).toBe(true);
    }),
    { numRuns },
  );
}
