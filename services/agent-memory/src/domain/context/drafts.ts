import { isContextloomError, type Language } from '@contextloom/contracts';
import type { MemoryEntry, SectionName } from '@contextloom/contracts/agent-memory';
import { wordsOf } from '@contextloom/languages';
import { cutPassage, type Grade, gradeHits, toQuestionTokens } from '@contextloom/retrieval/ranking';
import { parseSpirit } from '../identity/spirit.ts';
import { parseToolDefinitions } from '../identity/tool-definitions.ts';
import { LONG_TERM_FILE, OWNER_FILE, SPIRIT_FILE, TOOLS_FILE, toDailyFile } from '../model/files.ts';
import { typeLabels } from '../model/titles.ts';
import type { MemoryPorts } from '../ports/memory-ports.ts';
import type { Draft, Piece } from './budget.ts';
import { toFileLines } from './file-lines.ts';

/** What the parts of a context are read from. */
export interface DraftsOptions extends Pick<MemoryPorts, 'workspace' | 'index' | 'calendar' | 'clock'> {
  /** The files that could not be read when they were last looked at, and why. */
  readonly problems: () => ReadonlyMap<string, string>;
  readonly countTokens: (text: string) => number;
}

const HITS = 20;

const toItem = (line: string): Piece => ({ text: `- ${line}`, line });

/** Builds what drafts each section of a context: everything that could stand in it, most wanted first. */
export function createDrafts(options: DraftsOptions, language: Language) {
  const { workspace, index, calendar, clock, problems, countTokens } = options;
  const toDraft = (
    name: SectionName,
    files: readonly string[],
    pieces: readonly Piece[],
    unreadable: Draft['unreadable'] = [],
  ): Draft => ({ name, title: wordsOf(language).files.context[name], files, pieces, unreadable });
  /** A file that cannot be read is left out of the context. */
  async function draftFile(name: SectionName, path: string, toPieces: (text: string) => readonly Piece[]) {
    try {
      const text = (await workspace.read(path))?.text ?? '';
      return toDraft(name, [path], toPieces(text.replace(/^\uFEFF/, '')));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      return toDraft(name, [], [], [{ file: path, message: error.message }]);
    }
  }
  const findUnreadable = (paths: readonly string[]): Draft['unreadable'] =>
    paths.flatMap((file) => {
      const message = problems().get(file);
      return message === undefined ? [] : { file, message };
    });
  const toPiece = (entry: MemoryEntry): Piece => {
    const time =
      entry.source_file === LONG_TERM_FILE || entry.in_text
        ? ''
        : ` ${calendar.toLocal(new Date(entry.created_at)).time}`;
    const label = entry.label ?? (entry.in_text ? undefined : typeLabels[entry.content_type][language]);
    const head = [`${entry.date}${time}`, label && `[${label}]`].filter((part) => part).join(' ');
    const item = toItem(`${head === '' ? '' : `${head} `}${entry.content.replaceAll('\n', '\n  ')}`);
    return { id: entry.id, ...(entry.date !== '' && { date: entry.date }), ...item };
  };

  /** An entry that is doubtful, by the passage of it that fits. */
  function cutEntry(entry: MemoryEntry, query: string, { tokens, passages }: NonNullable<Grade['most']>): MemoryEntry {
    const around = countTokens(toPiece({ ...entry, content: '' }).text);
    const most = tokens / passages - around;
    return { ...entry, content: cutPassage(entry.content, toQuestionTokens(query), { most, countTokens }) };
  }

  function readDay(date: string): readonly Piece[] {
    const summary = index.summaryOf(toDailyFile(date));
    const label = typeLabels.summary[language];
    const first = summary === undefined ? [] : [toItem(`${date} [${label}] ${summary.replaceAll('\n', '\n  ')}`)];
    // The text of the summary stands first already.
    const others = index
      .ofFile(toDailyFile(date))
      .filter((entry) => !(entry.in_text && entry.content_type === 'summary'));
    return [...first, ...others.toReversed().map(toPiece)];
  }

  return {
    persona: () =>
      draftFile('persona', SPIRIT_FILE, (text) => {
        parseSpirit(text); // Front matter that cannot be parsed would appear as lines of the context.
        return toFileLines(text);
      }),
    owner: () => draftFile('owner', OWNER_FILE, toFileLines),
    tools: () =>
      draftFile('tools', TOOLS_FILE, (text) =>
        parseToolDefinitions(text)
          .filter((tool) => tool.enabled)
          .map(({ name, description }) => toItem(`${name}: ${description}`)),
      ),
    /** Today's log and those of the days before, newest first. */
    daily: (days: number) => {
      const today = calendar.toLocal(clock()).date;
      const dates = Array.from({ length: days }, (_unused, back) => calendar.daysBefore(today, back));
      const unreadable = findUnreadable(dates.map(toDailyFile));
      const isLeftOut = new Set(unreadable.map(({ file }) => file));
      const logs = dates.map((date) => (isLeftOut.has(toDailyFile(date)) ? [] : readDay(date)));
      const files = dates.filter((_date, at) => (logs[at] ?? []).length > 0).map(toDailyFile);
      return toDraft('daily', files, logs.flat(), unreadable);
    },
    /** MEMORY.md: what stands under no day, then the days, newest first. */
    longTerm: () => {
      const unreadable = findUnreadable([LONG_TERM_FILE]);
      if (unreadable.length > 0) return toDraft('long_term', [], [], unreadable);
      const entries = index
        .ofFile(LONG_TERM_FILE)
        .toSorted((a, b) => (a.date === b.date ? b.position - a.position : a.date < b.date ? 1 : -1));
      const undated = entries.filter(({ date }) => date === '').toReversed();
      return toDraft(
        'long_term',
        [LONG_TERM_FILE],
        [...undated, ...entries.filter(({ date }) => date !== '')].map(toPiece),
      );
    },
    hits: async (query: string, withoutLongTerm: boolean) => {
      const { hits } = await index.search({ query, limit: HITS, withoutLongTerm });
      const { minRelevance = Number.POSITIVE_INFINITY, most } = gradeHits(hits.map(({ relevance }) => relevance)) ?? {};
      const shown = hits.filter(({ relevance }) => relevance >= minRelevance).slice(0, most?.passages);
      const files = new Set(shown.map(({ entry }) => entry.source_file));
      const pieces = shown.map(({ entry }) => toPiece(most === undefined ? entry : cutEntry(entry, query, most)));
      const [cut] = hits.slice(shown.length);
      const withheld = cut && { count: hits.length - shown.length, best_relevance: cut.relevance };
      return { ...toDraft('hits', [...files], pieces), withheld };
    },
  };
}
