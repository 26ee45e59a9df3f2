import { toUsageLine } from '../command/usage-line.ts';
import type { JournalFailure, JournalImport } from '../domain/imports/journal.ts';
import type { GraphOutcome } from './import-graph.ts';
import type { Plan } from './plan-import.ts';
import type { Preview } from './preview.ts';
import type { ImportOutcome, ImportsOutcome } from './run-import.ts';
import type { Undone } from './undo-import.ts';

const LABEL = 15;
const SHOWN_SPEAKERS = 12;
const SHOWN_FAULTS = 8;
const SHOWN_TITLES = 6;
const SHOWN_PIECES = 5;
// biome-ignore lint/suspicious/noControlCharactersInRegex: what comes from a file must not move the cursor
const CONTROL = /[\u0000-\u001F\u007F-\u009F\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;
const WIDE =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE4F\uFF00-\uFF60\uFFE0-\uFFE6]|\p{Extended_Pictographic}/u;

const count = (value: number): string => value.toLocaleString('en-US');
const plural = (value: number, one: string, many = `${one}s`): string => `${count(value)} ${value === 1 ? one : many}`;
const plain = (text: string, length = 200): string => [...text.replace(CONTROL, ' ').trim()].slice(0, length).join('');
const widthOf = (text: string): number => [...text].reduce((sum, character) => sum + (WIDE.test(character) ? 2 : 1), 0);

/** Breaks words into lines of a width in columns; a word that is longer stands alone. */
function wrap(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (line !== '' && widthOf(longer) > width) {
      lines.push(line);
      line = word;
    } else line = longer;
  }
  return [...lines, line];
}

function toRow(label: string, value: string, width: number): readonly string[] {
  const lines = wrap(value, Math.max(20, width - LABEL - 2));
  return lines.map((line, at) => `  ${(at === 0 ? label : '').padEnd(LABEL)}${line}`);
}

function toSpeakers({ speakers }: Preview): string {
  const shown = speakers.slice(0, SHOWN_SPEAKERS).map(({ name, turns }) => `${plain(name, 40)} (${count(turns)})`);
  const more = speakers.length - shown.length;
  return [...shown, ...(more > 0 ? [`and ${more} more`] : [])].join(', ');
}

function toTurns({ turns, undated_turns: undated }: Preview): string {
  if (undated === 0) return count(turns);
  return `${count(turns)}, ${undated === turns ? 'none of them' : `${count(turns - undated)} of them`} dated`;
}

/** What the first conversations are called. */
function toTitles({ titles, conversations }: Preview): string {
  const shown = titles.slice(0, SHOWN_TITLES).map((title) => plain(title, 60));
  const more = conversations - shown.length;
  return shown.length > 0 && more > 0 ? `${shown.join(', ')} and ${count(more)} more` : shown.join(', ');
}

/** Each left-out message with its place and words; the counts above say why. */
function toLeftOut({
  source,
  left_out_lines: lines,
  left_out_count: all,
}: Preview): readonly (readonly [string, string])[] {
  const shown = lines.map(({ place, reason, text }) => {
    const words = plain(text);
    // The name of a file by itself stands above everything.
    const at = place.startsWith(`${source}, `) ? place.slice(source.length + 2) : place;
    return ['', `${plain(at)}, ${reason}${words === '' ? '' : `: ${words}`}`] as const;
  });
  const more = all - lines.length;
  return more > 0 && shown.length > 0
    ? [...shown, ['', `and ${plural(more, 'more', 'more')}: --left-out ${all} lists all`]]
    : shown;
}

/** What is in one source, a line a matter, in so many columns. */
export function renderPreview(preview: Preview, width: number): readonly string[] {
  const {
    source,
    formats,
    encodings,
    conversations,
    from,
    to,
    graph,
    left_out: leftOut,
    kept_as_corrected: corrected,
    deleted,
    faults,
    fault_count: all,
    notes,
  } = preview;
  const left = Object.entries(leftOut)
    .map(([what, times]) => `${what} (${count(times)})`)
    .join(', ');
  const rows: readonly (readonly [string, string])[] = [
    ['format', [...formats, ...encodings.map((one) => one.toUpperCase())].join(', ') || 'none'],
    ['conversations', [count(conversations), toTitles(preview)].filter((part) => part !== '').join(': ')],
    ['turns', toTurns(preview)],
    ...(from === undefined || to === undefined
      ? []
      : ([['period', `${from.slice(0, 10)} to ${to.slice(0, 10)}`]] as const)),
    ...(preview.speakers.length === 0 ? [] : ([['speakers', toSpeakers(preview)]] as const)),
    ...(graph === undefined
      ? []
      : ([
          ['graph', `${plural(graph.entities, 'entity', 'entities')}, ${plural(graph.relations, 'relation')}`],
        ] as const)),
    ...(left === '' ? [] : ([['left out', left]] as const)),
    ...toLeftOut(preview),
    ...(corrected === 0
      ? []
      : ([['corrected', `${plural(corrected, 'memory', 'memories')}, kept as you corrected`]] as const)),
    ...(deleted === 0
      ? []
      : ([['deleted', `${plural(deleted, 'memory', 'memories')}, left out as you deleted`]] as const)),
    ...notes.map((note) => ['note', note] as const),
    ...faults
      .slice(0, SHOWN_FAULTS)
      .map(({ place, reason }) => ['cannot be read', `${plain(place)}: ${plain(reason, 400)}`] as const),
    ...(all > SHOWN_FAULTS ? ([['', `and ${plural(all - SHOWN_FAULTS, 'more', 'more')}`]] as const) : []),
  ];
  return [plain(source), ...rows.flatMap(([label, value]) => toRow(label, value, width))];
}

/** What all sources are, and what a model would cost. */
export function renderPlan({ previews, estimate }: Plan, width: number): string {
  const cost =
    estimate === undefined
      ? []
      : wrap(`The model would be asked: ${toUsageLine(estimate, estimate.price_basis)}.`, width);
  return [...previews.flatMap((preview) => [...renderPreview(preview, width), '']), ...cost].join('\n').trimEnd();
}

function toGraphSentence(graph: GraphOutcome): string {
  if ('left_out' in graph) return `Entities and relations are kept as memories alone: ${graph.left_out}.`;
  const { entities, observations, relations } = graph.added;
  const parts = [
    plural(entities, 'entity', 'entities'),
    plural(observations, 'observation'),
    plural(relations, 'relation'),
  ];
  return `Added to personal memory: ${parts.join(', ')}.`;
}

/** Why facts were not saved, the most frequent reason first. */
function toReasonLines({ notSaved }: Pick<ImportOutcome, 'notSaved'>): readonly string[] {
  const sorted = Object.entries(notSaved).sort(([, a], [, b]) => b - a);
  return sorted.length === 0 ? [] : ['Facts not saved:', ...sorted.map(([reason, times]) => `  ${times} × ${reason}`)];
}

function toPieceLines({ failedPieces }: Pick<ImportOutcome, 'failedPieces'>, width: number): readonly string[] {
  if (failedPieces.length === 0) return [];
  const shown = failedPieces
    .slice(0, SHOWN_PIECES)
    .flatMap(({ source, reason }) => wrap(`${plain(source)}: ${plain(reason)}`, width - 2).map((line) => `  ${line}`));
  const more = failedPieces.length - SHOWN_PIECES;
  const head = `No facts could be drawn from ${plural(failedPieces.length, 'piece')}; what was said in them is saved:`;
  return [...wrap(head, width), ...shown, ...(more > 0 ? [`  and ${count(more)} more`] : [])];
}

function toUndoLines(imports: ImportsOutcome['imports']): readonly string[] {
  const [first, ...others] = imports;
  if (first === undefined) return [];
  return others.length === 0
    ? [`To take it back: contextloom imports undo ${first.id}`]
    : [`Each of ${count(imports.length)} users has an import of their own: contextloom imports lists them`];
}

/** Who rated the memories of an import, and where its price is from, in words. */
interface Reader {
  readonly ratedBy: string;
  readonly priceBasis: string;
}

/** What an import came to. */
export function renderOutcome(outcome: ImportsOutcome, { ratedBy, priceBasis }: Reader, width: number): string {
  const { imports, conversations, saved, nothing, known, failed, corrected, deleted, isStopped, usage, graph } =
    outcome;
  const parts = [
    `${plural(saved, 'memory', 'memories')} saved from ${plural(conversations, 'conversation')}`,
    ...(known > 0 ? [`${count(known)} of them done before`] : []),
    ...(nothing > 0 ? [`nothing new in ${count(nothing)}`] : []),
    ...(corrected > 0 ? [`${count(corrected)} kept as you corrected`] : []),
    ...(deleted > 0 ? [`${count(deleted)} left out as you deleted`] : []),
    ...(failed > 0 ? [`${count(failed)} failed`] : []),
  ];
  const name = imports.length === 1 ? `Import ${imports[0]?.id}` : plural(imports.length, 'import');
  return [
    ...wrap(`${name}: ${parts.join(', ')}; rated by ${ratedBy}.`, width),
    ...(graph === undefined ? [] : wrap(toGraphSentence(graph), width)),
    ...toReasonLines(outcome),
    ...toPieceLines(outcome, width),
    ...(usage.calls > 0 ? wrap(`It took ${toUsageLine(usage, priceBasis)}.`, width) : []),
    ...(isStopped ? ['Stopped before the end: the same command goes on from there.'] : []),
    ...(saved > 0 ? toUndoLines(imports) : []),
  ].join('\n');
}

/** What was taken back, and what had to stay. */
export function renderUndone({ id, user_id: user, removed, restored, kept, graph }: Undone, width: number): string {
  const stays =
    kept === 0
      ? ''
      : ` ${plural(kept, 'memory', 'memories')} that you corrected since ${kept === 1 ? 'stays' : 'stay'}.`;
  const first = `Import ${id} is taken back: ${plural(removed, 'memory', 'memories')} of ${user} removed, ${count(restored)} restored.${stays}`;
  if (graph === undefined) return first;
  const { entities, observations, relations } = graph.removed;
  const counts = `${plural(entities, 'entity', 'entities')}, ${plural(observations, 'observation')} and ${plural(relations, 'relation')}`;
  return [
    first,
    `Removed from personal memory: ${counts}.`,
    ...graph.kept.flatMap(({ name, why }) => wrap(`kept there: ${plain(name ?? 'an entity')} (${why})`, width)),
  ].join('\n');
}

function toState({ state, conversations, saved, nothing, failed }: JournalImport): string {
  const counted = `${plural(conversations, 'conversation')}, ${plural(saved, 'memory', 'memories')} saved`;
  const rest = `${nothing > 0 ? `, nothing new in ${count(nothing)}` : ''}${failed > 0 ? `, ${count(failed)} failed` : ''}`;
  const names = { running: 'under way, or cut off', done: 'done', stopped: 'stopped', undone: 'taken back' } as const;
  return state === 'undone' ? names[state] : `${names[state]}: ${counted}${rest}`;
}

/** All imports, the newest first, with what failed in them. */
export function renderImports(
  imports: readonly (JournalImport & { readonly failures: readonly JournalFailure[] })[],
  width: number,
): string {
  if (imports.length === 0) return 'Nothing has been imported.';
  const lines = imports.flatMap((one) => [
    `${one.id}  ${one.startedAt.slice(0, 16).replace('T', ' ')}  user ${one.userId}`,
    ...wrap(one.sources.map((source) => plain(source)).join(', '), width - 2).map((line) => `  ${line}`),
    ...wrap(toState(one), width - 2).map((line) => `  ${line}`),
    ...one.failures
      .slice(0, SHOWN_FAULTS)
      .flatMap(({ title, reason, retryable }) =>
        wrap(
          `failed: ${plain(title, 60)}: ${reason}${retryable ? ' (the same command tries again)' : ''}`,
          width - 4,
        ).map((line) => `    ${line}`),
      ),
  ]);
  return lines.join('\n');
}
