import type { Language } from '@contextloom/contracts';
import { toDailyFile } from '../model/files.ts';
import { titles } from '../model/titles.ts';
import { parseDailyLog } from './daily-log.ts';
import { insertBlock, isAsMeant, splice, toUnreadableError } from './splice.ts';

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
