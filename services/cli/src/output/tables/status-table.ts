import type { ServiceStatus } from '@contextloom/contracts';
import type { Look } from '../print.ts';
import { toPlainLine } from '../text/plain.ts';
import { type Column, renderTable } from './table.ts';

type Component = ServiceStatus['components'][string];

/** How many jobs there are in each state in which there are some. */
function toJobs({ jobs, budget }: Component): string {
  const states = Object.entries(jobs ?? {}).filter(([, count]) => count > 0);
  const parts = [...states.map(([state, count]) => `${count} ${state}`), ...toBudget(budget)];
  return parts.length === 0 ? '–' : parts.join(', ');
}

/** What of the model's budget of the day is used, and how many of the queued jobs wait for the next one. */
function toBudget(budget: Component['budget']): readonly string[] {
  if (budget === undefined) return [];
  const { tokens_used: used, tokens, dollars_used: spent = 0, dollars, waiting_jobs: waiting, next_at: next } = budget;
  return [
    ...(waiting > 0 ? [`${waiting} of the queued to be read`] : []),
    tokens === undefined ? `${used} tokens today` : `${used} of ${tokens} tokens today`,
    ...(dollars === undefined ? [] : [`$${spent.toFixed(4)} of $${dollars} today`]),
    ...(next === undefined ? [] : [`read on at ${next.slice(0, 16)}Z`]),
  ];
}

const toCount = (count: number | undefined): string => (count === undefined ? '–' : String(count));

/** A table of the servers of a composition: which answer, and why the others do not. */
export function renderStatus({ components }: ServiceStatus, look: Look): string {
  const servers = Object.entries(components);
  const withReason = servers.some(([, { reason }]) => reason !== undefined);
  const withService = servers.some(([, { service }]) => service !== undefined);
  const withWaiting = servers.some(([, { waiting_count }]) => waiting_count !== undefined);
  const withJobs = servers.some(([, component]) => toJobs(component) !== '–');
  const rows = servers.map(([name, component]) => [
    toPlainLine(name),
    ...(withService ? [toPlainLine(component.service ?? '–')] : []),
    component.status,
    toCount(component.tools),
    ...(withWaiting ? [toCount(component.waiting_count)] : []),
    ...(withJobs ? [toJobs(component)] : []),
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
