import { findServiceName, type ServerEntry } from '@contextloom/mcp-client';
import { toPlainLine } from '../output/text/plain.ts';
import type { ServerReport } from './report.ts';

/**
 * Adds what is wrong with a personal memory that a composition starts for one user, as those written before `--multi-user` do:
 * its clients and the console miss what everybody else has.
 */
export function addServedUsers(report: ServerReport, entry: ServerEntry, file: string): ServerReport {
  if (report.kind === 'foreign' || findServiceName(entry) !== 'personal-memory') return report;
  const { multiUser, userId } = report.settings;
  if (multiUser?.value !== false) return report;
  const user = toPlainLine(String(userId?.value));
  const detail = `it serves the user ${user} alone, and nothing of others is reached through it: add "--multi-user" to its args in ${file}`;
  return { ...report, checks: [...report.checks, { name: 'users', status: 'failed', detail }] };
}
