import { basename } from 'node:path';
import type { ExtractorInfo, ModelUsage } from '@contextloom/contracts';
import { toUsageLine } from '../command/usage-line.ts';
import type { FailedPiece } from '../domain/ingest/extract-window.ts';

/** What became of one conversation. */
export interface ConversationReport {
  readonly file: string;
  readonly transcript: string;
  readonly user_id: string;
  readonly windows: number;
  readonly saved: number;
  readonly known: number;
  /** Facts that were not saved, counted by the reason. */
  readonly not_saved: Readonly<Record<string, number>>;
  /** Pieces from which no facts could be drawn, and why. */
  readonly failures: readonly FailedPiece[];
  /** Pieces that a model is still to read, since it could not be asked. */
  readonly unread: number;
  readonly usage: ModelUsage;
}

/** What the whole run came to. */
export interface BatchReport {
  readonly extractor: ExtractorInfo;
  readonly conversations: readonly ConversationReport[];
  /** Files that could not be read, or not kept, with the reason. */
  readonly failed: readonly { readonly file: string; readonly error: string }[];
  /** Whether the run was ended before all was done. */
  readonly isStopped: boolean;
  /** Whether nothing was sent or saved, and the usage is an estimate. */
  readonly isDryRun: boolean;
  /** All conversations together. */
  readonly usage: ModelUsage;
  /** Where the price is from, or what is missing to tell it. */
  readonly priceBasis: string;
  readonly seconds: number;
}

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
/** Most failed pieces that are listed. */
const SHOWN_FAILURES = 5;

/** One conversation, in one line. */
export function toConversationLine(report: ConversationReport): string {
  const { file, transcript, user_id: user, windows, saved, known } = report;
  const before = known > 0 ? `, ${known} known before` : '';
  return `${basename(file)} ${transcript}: ${plural(windows, 'piece', 'pieces')}, ${saved} saved${before} (user ${user})`;
}

function toReasonLines(conversations: readonly ConversationReport[]): readonly string[] {
  const counts = new Map<string, number>();
  for (const [reason, count] of conversations.flatMap(({ not_saved: reasons }) => Object.entries(reasons))) {
    counts.set(reason, (counts.get(reason) ?? 0) + count);
  }
  const sorted = [...counts].sort(([, a], [, b]) => b - a);
  return sorted.length === 0 ? [] : ['Not saved:', ...sorted.map(([reason, count]) => `  ${count} × ${reason}`)];
}

function toFailureLines(conversations: readonly ConversationReport[]): readonly string[] {
  const failures = conversations.flatMap(({ failures: some }) => some);
  if (failures.length === 0) return [];
  const shown = failures.slice(0, SHOWN_FAILURES).map(({ source, reason }) => `  ${source}: ${reason}`);
  const rest = failures.length - shown.length;
  return [
    `No facts could be drawn from ${plural(failures.length, 'piece', 'pieces')}; what was said in them is saved:`,
    ...shown,
    ...(rest > 0 ? [`  and ${rest} more`] : []),
  ];
}

/** The end of a run, for a reader. */
export function toSummary(report: BatchReport): string {
  const { extractor, conversations, failed, isStopped, isDryRun, seconds, usage, priceBasis } = report;
  const unread = sum(conversations.map((one) => one.unread));
  const by =
    extractor.kind === 'rules' || (usage.calls === 0 && unread > 0) ? 'written rules' : `the model ${extractor.name}`;
  const saved = plural(sum(conversations.map((one) => one.saved)), 'memory', 'memories');
  const total = [
    plural(conversations.length, 'conversation', 'conversations'),
    plural(sum(conversations.map(({ windows }) => windows)), 'piece', 'pieces'),
    ...(isDryRun ? ['nothing sent or saved'] : [`${saved} saved`]),
    `${sum(conversations.map(({ known }) => known))} known before`,
  ].join(', ');
  const asked =
    extractor.kind === 'model' ? [`${isDryRun ? 'It would take' : 'It took'} ${toUsageLine(usage, priceBasis)}.`] : [];
  return [
    `${total}; ${seconds} s; ${isDryRun ? 'to be rated' : 'rated'} by ${by}.`,
    ...toReasonLines(conversations),
    ...toFailureLines(conversations),
    ...asked,
    ...(unread > 0
      ? [
          `The same command again has the model read ${plural(unread, 'piece', 'pieces')} that it could not be asked for.`,
        ]
      : []),
    ...(failed.length > 0 ? [`${plural(failed.length, 'file', 'files')} could not be read.`] : []),
    ...(isStopped ? ['Stopped before the end. Run the same command again to go on: nothing is saved twice.'] : []),
  ].join('\n');
}

/** Whether the same command again would have nothing to go on with. */
export function isWhole({ isStopped, conversations }: BatchReport): boolean {
  return !isStopped && conversations.every(({ unread }) => unread === 0);
}

/** Whether everything was read as it was to be. */
export function isSuccess(report: BatchReport): boolean {
  return report.failed.length === 0 && isWhole(report);
}

/** The end of a run, for a program. */
export function toJsonReport(report: BatchReport): string {
  const { isStopped, isDryRun, priceBasis, ...rest } = report;
  const success = isSuccess(report);
  return JSON.stringify({ success, stopped: isStopped, dry_run: isDryRun, price_basis: priceBasis, ...rest }, null, 2);
}
