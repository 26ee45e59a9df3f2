import type { Consequence } from '@contextloom/contracts';
import type { DailyLog, MemoryEntry } from '@contextloom/contracts/agent-memory';
import type { MemoryParts } from '../editing/parts.ts';
import { parseDailyLog } from '../grammar/daily-log.ts';
import { fromDailyFile } from '../model/files.ts';
import { toRuleSummary, writeSummary } from './summary.ts';

/** What following works with. */
export interface FollowEntryOptions extends Pick<MemoryParts, 'edit' | 'language'> {
  /** Reads a day for nobody: what callers have seen of it stays as it is. */
  readonly readDay: (date: string) => Promise<DailyLog>;
}

/**
 * Builds what follows a change of an entry to the summary of its day: one that rules made is written again, or goes with the last entry;
 * the words of a person or a model stay.
 */
export function createFollowEntry({ readDay, edit, language }: FollowEntryOptions) {
  return async <T>(
    entry: Pick<MemoryEntry, 'source_file' | 'in_text'> | undefined,
    work: () => Promise<T>,
  ): Promise<{ readonly result: T; readonly consequences: readonly Consequence[] }> => {
    // The summary itself is such a text: who takes it out does not want it back.
    const path = entry?.source_file ?? '';
    const date = entry?.in_text === true ? undefined : fromDailyFile(path);
    const before = date === undefined ? undefined : await readDay(date);
    const result = await work();
    if (date === undefined || before === undefined) return { result, consequences: [] };
    if (before.summary !== toRuleSummary(before.items)) return { result, consequences: [] };
    const id = `agent:${path}#summary`;
    const { items } = await readDay(date);
    const summary = toRuleSummary(items);
    const written = await language();
    await edit(path, (file) => {
      const { summarySection } = file === undefined ? {} : parseDailyLog(file.text, date);
      if (file === undefined || summarySection === undefined) return { text: undefined, value: undefined };
      const without = file.text.slice(0, summarySection.start) + file.text.slice(summarySection.end);
      return { text: summary === '' ? without : writeSummary(file.text, date, summary, written), value: undefined };
    });
    return { result, consequences: [{ id, what: summary === '' ? 'removed' : 'rewritten' }] };
  };
}
