import type { ServiceStatus } from '@contextloom/contracts';
import type { Look } from '../print.ts';
import { toPlainLine } from '../text/plain.ts';
import { type Column, renderTable } from './table.ts';

/** How many jobs there are in each state in which there are some. */
function toJobs(jobs: ServiceStatus['components'][string]['jobs']): string {
  const states = Object.entries(jobs ?? {}).filter(([, count]) => count > 0);
  return states.length === 0 ? '–' : states.map(([state, count]) => `${count} ${state}`).join(', ');
}

const toCount = (count: number | undefined): string => (count === undefined ? '–' : String(count));

/** A table of the servers of a composition: which answer, and why the others do not. */
export function renderStatus({ components }: ServiceStatus, look: Look): string {
  const servers = Object.entries(components);
  const withReason = servers.some(([, { reason }]) => reason !== undefined);
  const withService = servers.some(([, { service }]) => service !== undefined);
  const withWaiting = servers.some(([, { waiting_count }]) => waiting_count !== undefined);
  const withJobs = servers.some(([, { jobs }]) => toJobs(jobs) !== '–');
  const rows = servers.map(([name, component]) => [
    toPlainLine(name),
    ...(withService ? [toPlainLine(component.service ?? '–')] : []),
    component.status,
    toCount(component.tools),
    ...(withWaiting ? [toCount(component.waiting_count)] : []),
    ...(withJobs ? [toJobs(component.jobs)] : []),
    ...(withReason ? [toPlainLine(component.reason ?? '')] : []),
  ]);
  const columns: readonly Column[] = [
    { title: 'server' },
    ...(withService ? [{ title: 'service' }] : []),
    { title: 'status' },
    { title: 'tools', align: 'right' as const },
    // Texts that have no vector yet.
    ...(withWaiting ? [{ title: 'waiting', align: 'right' as const }] : []),
    ...(withJobs ? [{ title: 'jobs' }] : []),
    ...(withReason ? [{ title: 'reason', flexible: true }] : []),
  ];
  return renderTable(columns, rows, look);
}
