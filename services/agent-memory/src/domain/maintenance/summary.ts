import { ContextloomError, isContextloomError, type Language } from '@contextloom/contracts';
import type { DailyLog, DailySummary, MemoryEntry } from '@contextloom/contracts/agent-memory';
import type { MemoryParts } from '../editing/parts.ts';
import { parseDailyLog } from '../grammar/daily-log.ts';
import { insertBlock, isAsMeant, splice, toUnreadableError } from '../grammar/splice.ts';
import { isLasting } from '../model/ends.ts';
import { toDailyFile } from '../model/files.ts';
import { titles } from '../model/titles.ts';

/**
 * Writes the summary of a daily log into its section, which is made before the others when missing.
 * @throws ContextloomError `conflict` when something left open in the file would swallow it
 */
export function writeSummary(text: string, date: string, summary: string, language: Language): string {
  const path = toDailyFile(date);
  const { summarySection, firstSection, entries } = parseDailyLog(text, date);
  const place = firstSection ?? entries[0]?.start ?? text.length;
  // Entries that are in no section would be part of the summary's.
  const rest = firstSection === undefined && entries.length > 0 ? `\n\n## ${titles.entries[language]}` : '';
  const written =
    summarySection === undefined
      ? insertBlock(text, place, `## ${titles.summary[language]}\n\n${summary}${rest}`)
      : splice(
          text,
          summarySection.bodyStart,
          summarySection.end,
          `\n${summary}\n${summarySection.end < text.length ? '\n' : ''}`,
        );
  const isRead = parseDailyLog(written, date).summary === summary;
  if (!isRead || !isAsMeant(path, written, entries)) throw toUnreadableError(path);
  return written;
}

/** Puts entries of a day into a few sentences. */
export type Summarize = (entries: readonly MemoryEntry[], signal: AbortSignal) => Promise<string>;

/** What summaries are made with. */
export interface SummariesOptions extends Pick<MemoryParts, 'calendar' | 'edit' | 'language' | 'clock' | 'onProblem'> {
  readonly daily: (date: string) => Promise<DailyLog>;
  readonly summarize: Summarize | undefined;
}

/** How a summary is written. */
export interface SummaryOptions {
  /** Whether one that is there by then stays. */
  readonly isKept?: boolean;
}

const MAX_ITEMS = 8;
const MAX_ITEM_LENGTH = 160;
const MAX_SUMMARY_LENGTH = 4_000;
/** Of a longer text, which only a person or a model out of hand writes, the beginning is read. */
const MAX_READ = 20_000;
/** What rules take first. */
const WEIGHTS: Readonly<Record<MemoryEntry['content_type'], number>> = {
  decision: 3,
  manual: 2,
  summary: 1,
  conversation: 0,
};

/** What makes a line a heading, a quotation or an item of a list, and lines that only enclose others. */
const lineSigns = /^\s*(?:(?:#{1,6}|[-*+>]|\d{1,9}[.)]|\[[ xX]\])\s+)*/;
const enclosing = /^(?:`{3}|~{3}|<!--|-{3,}$)/;

function toFirstSentence(entry: string): string {
  const content = entry.slice(0, MAX_READ);
  const lines = content.split('\n').map((one) => one.replace(lineSigns, '').trim());
  const line = lines.find((one) => one !== '' && !enclosing.test(one)) ?? content.trim();
  const sentence = /^.*?(?:[。！？]|[.!?](?=\s|$))/u.exec(line)?.[0] ?? line;
  const characters = [...sentence.trim()];
  return characters.length > MAX_ITEM_LENGTH
    ? `${characters.slice(0, MAX_ITEM_LENGTH - 1).join('')}…`
    : characters.join('');
}

/** The first sentences of the entries that say most: decisions, then notes, in the order of the day. */
export function summarizeByRules(entries: readonly MemoryEntry[]): string {
  const chosen = new Set(
    entries.toSorted((a, b) => WEIGHTS[b.content_type] - WEIGHTS[a.content_type]).slice(0, MAX_ITEMS),
  );
  return entries
    .filter((entry) => chosen.has(entry))
    .map(({ content }) => `- ${toFirstSentence(content)}`)
    .join('\n');
}

/** A summary as it can stand in its section: no heading, fence or comment, and no tag that would begin a block. */
function toSectionText(text: string): string {
  const plain = text
    .slice(0, MAX_READ)
    .replace(/\r\n?/g, '\n')
    .replace(/<!--|-->|[\0\uFEFF]/g, '')
    .replace(/^[ \t]*(?:#{1,6}[ \t]+|`{3,}.*$|~{3,}.*$|[=-]{2,}[ \t]*$)/gm, '')
    .replace(/^([ \t]*)(?=<)/gm, '$1\\')
    .trim();
  return [...plain].slice(0, MAX_SUMMARY_LENGTH).join('').trim();
}

/** The summary that rules make of a day's entries that stay, as it stands in its log; empty of none. */
export const toRuleSummary = (entries: readonly MemoryEntry[]): string =>
  toSectionText(summarizeByRules(entries.filter(isLasting)));

/** Builds what writes the summary of a day into its log. */
export function createSummaries({ calendar, edit, language, clock, onProblem, daily, summarize }: SummariesOptions) {
  async function make(log: DailyLog, signal: AbortSignal): Promise<Pick<DailySummary, 'summary' | 'made_by'>> {
    if (summarize !== undefined) {
      try {
        const summary = toSectionText(await summarize(log.items.filter(isLasting), signal));
        if (summary !== '') return { summary, made_by: 'model' };
      } catch (error) {
        signal.throwIfAborted(); // The caller has gone: nothing is written.
        if (!isContextloomError(error)) throw error;
        onProblem(log.file_path, error);
      }
    }
    return { summary: toRuleSummary(log.items), made_by: 'rules' };
  }

  return async (
    requested: string | undefined,
    signal: AbortSignal,
    { isKept = false }: SummaryOptions = {},
  ): Promise<DailySummary> => {
    const date = requested ?? calendar.toLocal(clock()).date;
    const path = toDailyFile(date);
    const log = await daily(date);
    if (!log.items.some(isLasting)) {
      const which = log.items.length === 0 ? '' : ' that stay';
      throw new ContextloomError('not_found', `${path} has no entries${which}`, { field: 'date' });
    }
    const made = await make(log, signal);
    const written = await language();
    await edit(path, (file) => {
      const stays = file === undefined || (isKept && parseDailyLog(file.text, date).summary !== undefined);
      return { text: stays ? undefined : writeSummary(file.text, date, made.summary, written), value: undefined };
    });
    return { date, file_path: path, ...made };
  };
}
