import type { ServiceStatus } from '@contextloom/contracts';
import type { Look } from '../print.ts';
import { toPlainLine } from '../text/plain.ts';
import { type Column, renderTable } from './table.ts';

/** A table of the servers of a composition: which answer, and why the others do not. */
export function renderStatus({ components }: ServiceStatus, look: Look): string {
  const servers = Object.entries(components);
  const withReason = servers.some(([, { reason }]) => reason !== undefined);
  const withService = servers.some(([, { service }]) => service !== undefined);
  const rows = servers.map(([name, component]) => [
    toPlainLine(name),
    ...(withService ? [toPlainLine(component.service ?? '–')] : []),
    component.status,
    component.tools === undefined ? '–' : String(component.tools),
    ...(withReason ? [toPlainLine(component.reason ?? '')] : []),
  ]);
  const columns: readonly Column[] = [
    { title: 'server' },
    ...(withService ? [{ title: 'service' }] : []),
    ...[{ title: 'status' }, { title: 'tools', align: 'right' as const }],
    ...(withReason ? [{ title: 'reason', flexible: true }] : []),
  ];
  return renderTable(columns, rows, look);
}
