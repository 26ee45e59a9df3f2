import { putEntity, putRelation } from '../graph-part.ts';
import type { Out } from '../reader.ts';

/** `- [method] Green tea at 80 degrees #tea`, and not the box of a task. */
const OBSERVATION = /^\s{0,12}[-*]\s\[(?![ xX-]?\])([^[\]]{1,80})\]\s(.+)$/u;
const ITEM = /^\s{0,12}[-*]\s/u;

/** The relation of a list item such as `- requires [[Kettle]]`; without a word for it, it relates to the other. */
function toRelation(line: string): { readonly type: string; readonly to: string } | undefined {
  const [start] = ITEM.exec(line) ?? [];
  const from = line.indexOf('[[');
  const until = line.indexOf(']]', from + 2);
  if (start === undefined || from < start.length || until < 0) return undefined;
  // A link may show other words than its target: `[[tea/kettle|Kettle]]`.
  const [to = ''] = line.slice(from + 2, until).split('|');
  const type = line.slice(start.length, from).trim();
  return to.trim() === '' ? undefined : { type: type === '' ? 'relates_to' : type, to: to.trim() };
}

/** Reads the observations and relations that a note of basic-memory lists. */
export function createNoteGraph(
  out: Out,
  { name, type }: { readonly name: string; readonly type: string | undefined },
) {
  const observations: string[] = [];
  const relations: { readonly type: string; readonly to: string }[] = [];
  return {
    line: (line: string): void => {
      const [, category, words] = OBSERVATION.exec(line) ?? [];
      if (category !== undefined && words !== undefined) observations.push(`[${category}] ${words.trim()}`);
      else {
        const relation = toRelation(line);
        if (relation !== undefined) relations.push(relation);
      }
    },
    end: (): void => {
      putEntity(out, { name, type: type ?? '', observations });
      for (const relation of relations) putRelation(out, { from: name, ...relation });
    },
  };
}
