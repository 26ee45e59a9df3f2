import { ContextloomError, isContextloomError, parseInput } from '@contextloom/contracts';
import { withoutPrivateIn } from '@contextloom/safety/private';
import { requireContent } from '../ingest/ingest.ts';
import { type ProjectName, type Reach, toProjectFilter } from '../project.ts';
import {
  FORMAT,
  type ImportOutcome,
  type ImportUnit,
  lineSchema,
  type TransferStore,
  type VersionLine,
} from './lines.ts';
import { type Line, readLines } from './read-lines.ts';

/** A line that was not taken in, and why. */
export interface RefusedLine {
  readonly line: number;
  readonly problem: string;
}

/** What an import did. What it did not finish can be done by running it again. */
export interface ImportReport {
  /** Lines of each kind that were new here; a version counts with its memory. */
  readonly imported: Readonly<Record<ImportUnit['kind'], number>>;
  /** Lines that said nothing new. */
  readonly unchanged: number;
  /** The first hundred. */
  readonly refused: readonly RefusedLine[];
  readonly refused_count: number;
  /** Whether the export has its end: a file that was cut off lacks it. */
  readonly is_complete: boolean;
}

/** Moves the memories of one owner. */
export interface Transfer {
  /** JSON Lines, each with its newline. */
  readonly exportText: (project: ProjectName) => AsyncIterable<string>;
  /**
   * @param mask takes out of a line what is not to be stored
   * @throws ContextloomError `invalid` for what is no export at all, `forbidden` where not all projects are within reach
   */
  readonly importText: (chunks: AsyncIterable<Uint8Array>, mask?: (line: unknown) => unknown) => Promise<ImportReport>;
}

/** How many refused lines a report names. */
const MOST_REFUSED = 100;

const problems: Readonly<Record<Exclude<ImportOutcome, 'imported' | 'unchanged'>, string>> = {
  diverged: 'the memory that is stored under this id has another history; nothing was changed',
  missing: 'a memory that it is about is not there',
  taken: 'the id cannot be used',
};

interface Progress {
  readonly imported: Record<ImportUnit['kind'], number>;
  readonly refused: RefusedLine[];
  unchanged: number;
  refusedCount: number;
  isComplete: boolean;
  /** Versions that wait for their memory. */
  waiting: { readonly line: number; readonly version: VersionLine }[];
}

function refuse(progress: Progress, line: number, problem: string): void {
  progress.refusedCount += 1;
  if (progress.refused.length < MOST_REFUSED) progress.refused.push({ line, problem });
}

/** @throws ContextloomError `invalid`, or `too_large` */
function parseLine({ text }: Line, mask = (line: unknown) => line): ReturnType<typeof lineSchema.parse> {
  if (text === undefined) throw new ContextloomError('invalid', 'is not UTF-8, or is longer than 8 MB');
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (cause) {
    throw new ContextloomError('invalid', 'is not JSON', { cause });
  }
  const line = parseInput(lineSchema, mask(withoutPrivateIn(json)));
  if ('content' in line) requireContent(line.content);
  return line;
}

/** @throws ContextloomError `invalid` for what is no export at all */
async function takeHeader(lines: AsyncGenerator<Line>): Promise<void> {
  const { value: line } = await lines.next();
  if (line === undefined) throw new ContextloomError('invalid', 'the export is empty: it has not even a header');
  try {
    if (parseLine(line).kind !== 'header') throw new ContextloomError('invalid', 'kind must be "header"');
  } catch (cause) {
    if (!isContextloomError(cause)) throw cause;
    throw new ContextloomError('invalid', `line ${line.number} is no header of an export: ${cause.message}`, { cause });
  }
}

/** The earlier states of a memory, which must be all that there were. */
function takeVersions(progress: Progress, id: string, revision: number): readonly VersionLine[] {
  const { waiting } = progress;
  progress.waiting = [];
  for (const { line, version } of waiting) {
    if (version.memory_id !== id) refuse(progress, line, `the next memory is ${id}, not ${version.memory_id}`);
  }
  const versions = waiting.map(({ version }) => version).filter(({ memory_id }) => memory_id === id);
  if (versions.length === revision - 1 && versions.every((version, at) => version.revision === at + 1)) return versions;
  throw new ContextloomError('invalid', `revision is ${revision}: versions 1 to ${revision - 1} must stand before it`);
}

/** Builds what moves the memories of one reach over a store. */
export function createTransfer(reach: Reach, store: TransferStore, onImported: () => void): Transfer {
  const takeLine = async (progress: Progress, line: Line, mask?: (line: unknown) => unknown): Promise<void> => {
    const parsed = parseLine(line, mask);
    if (parsed.kind === 'header') return;
    if (parsed.kind === 'end') progress.isComplete = true;
    else if (parsed.kind === 'version') progress.waiting.push({ line: line.number, version: parsed });
    else {
      const unit =
        parsed.kind === 'memory' ? { ...parsed, versions: takeVersions(progress, parsed.id, parsed.revision) } : parsed;
      const outcome = await store.importUnit(reach.ownerId, unit);
      if (outcome === 'imported') progress.imported[unit.kind] += 1;
      else if (outcome === 'unchanged') progress.unchanged += 1;
      else refuse(progress, line.number, problems[outcome]);
    }
  };
  return {
    exportText: async function* (named) {
      const toText = (line: object): string => `${JSON.stringify(line)}\n`;
      yield toText({ kind: 'header', format: FORMAT, version: 1 });
      for await (const line of store.exportLines({ ...reach, project: toProjectFilter(named) })) yield toText(line);
      yield toText({ kind: 'end' });
    },
    importText: async (chunks, mask) => {
      if (reach.projects !== undefined) {
        throw new ContextloomError('forbidden', 'an import may name any project, which this caller does not reach');
      }
      const imported = { project: 0, memory: 0, arbitration: 0, link: 0 };
      const progress: Progress = {
        imported,
        refused: [],
        unchanged: 0,
        refusedCount: 0,
        isComplete: false,
        waiting: [],
      };
      const lines = readLines(chunks);
      await takeHeader(lines);
      for await (const line of lines) {
        try {
          await takeLine(progress, line, mask);
        } catch (error) {
          if (!isContextloomError(error) || !['invalid', 'too_large'].includes(error.code)) throw error;
          refuse(progress, line.number, error.message);
        }
      }
      for (const { line } of progress.waiting) refuse(progress, line, 'its memory does not follow');
      if (imported.memory > 0) onImported();
      const { refused, refusedCount, unchanged, isComplete } = progress;
      return { imported, unchanged, refused, refused_count: refusedCount, is_complete: isComplete };
    },
  };
}
