import { parseMoment } from '@contextloom/retrieval/time';
import type { Out, Reader, Sink } from '../reader.ts';
import { createLineSink } from '../sinks/line-sink.ts';

/** `[2026-03-01] - Likes tea`, `- [date unknown] - Likes tea`: a date in brackets, a dash, and the words. */
const ENTRY = /^(?:[-*•] )?\[(?<date>[^[\]]{1,40})\] ?[-–—:] ?(?<words>\S[^\n]*)$/u;
const HEADING = /^(?:#{1,6} \S|\*\*[^*]{1,80}\*\*:?$)/u;
const FENCE = /^```/u;
/** What goes on with the entry before. */
const INDENT = '  ';
const isDate = (text: string): boolean =>
  parseMoment(text) !== undefined ||
  /^(?:date )?(?:unknown|unavailable|not available|n\/a|no date|未知)$/iu.test(text.trim());

/** An entry of a line; undefined for one without a date or a word for none. */
function readEntry(line: string): { readonly date: string; readonly words: string } | undefined {
  const { date, words } = ENTRY.exec(line)?.groups ?? {};
  return date !== undefined && words !== undefined && isDate(date) ? { date, words } : undefined;
}

function createMemories(out: Out): Sink {
  out.conversation({ id: 'assistant-memories', title: 'Memories of an assistant' });
  let open: { readonly date: string; readonly lines: string[] } | undefined;
  const flush = (): void => {
    if (open === undefined) return;
    const at = parseMoment(open.date);
    const time = at === undefined ? {} : at.endsWith('Z') ? { wall: at.slice(0, 19) } : { at };
    out.turn({ speaker: 'memory', role: 'other', text: open.lines.join('\n').trim(), ...time });
    open = undefined;
  };
  return createLineSink((given, number) => {
    const line = number === 1 ? given.replace(/^\uFEFF/u, '') : given;
    const entry = readEntry(line);
    if (entry !== undefined) {
      flush();
      open = { date: entry.date, lines: [entry.words] };
    } else if (open !== undefined && (line.startsWith(INDENT) || line.trim() === '')) {
      open.lines.push(line.startsWith(INDENT) ? line.slice(INDENT.length) : '');
    } else if (line.trim() !== '') {
      flush();
      if (HEADING.test(line) || FENCE.test(line)) out.leftOut('heading without words', `line ${number}`, line);
      else out.turn({ speaker: 'memory', role: 'other', text: line.trim() });
    }
  }, flush);
}

/**
 * What an assistant such as ChatGPT or Claude lists of its memories where it is asked for them, an entry a line; what Claude takes in
 * has the same form. Source: https://support.claude.com/en/articles/12123587-import-and-export-your-memory-from-claude
 */
export const memoryLines: Reader = {
  name: 'memory-lines',
  title: 'memories of ChatGPT, Claude or Gemini, a line each',
  detect: ({ lines }) => {
    const filled = lines.filter((line) => line.trim() !== '' && !HEADING.test(line) && !line.startsWith(INDENT));
    const entries = filled.filter((line) => readEntry(line) !== undefined).length;
    return entries > 0 && 2 * entries > filled.filter((line) => !FENCE.test(line)).length;
  },
  read: (out) => createMemories(out),
};
