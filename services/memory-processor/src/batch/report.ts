import { basename } from 'node:path';
import type { BatchReport, ConversationReport } from './run-batch.ts';

const plural = (count: number, one: string, many: string): string => `${count} ${count === 1 ? one : many}`;
const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

/** One conversation, in one line. */
export function toConversationLine(report: ConversationReport): string {
  const { file, transcript, user_id: user, windows, saved, known } = report;
  const before = known > 0 ? `, ${known} known before` : '';
  return `${basename(file)} ${transcript}: ${plural(windows, 'piece', 'pieces')}, ${saved} saved${before} (user ${user})`;
}

/** The end of a run, for a reader. */
export function toSummary({ extractor, conversations, failed, isStopped, seconds }: BatchReport): string {
  const by = extractor.kind === 'rules' ? 'written rules' : `the model ${extractor.name}`;
  const total = [
    plural(conversations.length, 'conversation', 'conversations'),
    plural(sum(conversations.map(({ windows }) => windows)), 'piece', 'pieces'),
    `${plural(sum(conversations.map(({ saved }) => saved)), 'memory', 'memories')} saved`,
    `${sum(conversations.map(({ known }) => known))} known before`,
  ].join(', ');
  return [
    `${total}; ${seconds} s; rated by ${by}.`,
    ...(failed.length > 0 ? [`${plural(failed.length, 'file', 'files')} could not be read.`] : []),
    ...(isStopped ? ['Stopped before the end. Run the same command again to go on: nothing is saved twice.'] : []),
  ].join('\n');
}

/** The end of a run, for a program. */
export function toJsonReport(report: BatchReport): string {
  const { isStopped, ...rest } = report;
  const success = report.failed.length === 0 && !isStopped;
  return JSON.stringify({ success, stopped: isStopped, ...rest }, null, 2);
}
