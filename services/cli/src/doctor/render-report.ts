import type { Check } from '@contextloom/server-kit';
import type { Look } from '../output/print.ts';
import { renderStatus } from '../output/tables/status-table.ts';
import { renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';
import type { DoctorReport, PrintedSetting, ServerReport } from './report.ts';

const NOTHING = '–';

/** How a report is written: `all` shows settings at their defaults as well. */
export interface ReportLook extends Look {
  readonly all: boolean;
}

/** Writes the doctor's report for people: a section for each server, then the status of all, then the verdict. */
export function renderReport(
  { composition, env_file, servers, proxy, clients, hooks, aggregator, problems }: DoctorReport,
  look: ReportLook,
): string[] {
  const { strong, good, bad } = look.style;
  const { status } = aggregator;
  return [
    strong(`composition ${composition.file}`),
    renderCheckLine(composition.check, look),
    describeEnvFile(env_file),
    ...Object.entries(servers).flatMap(([name, server]) => [
      '',
      strong(toPlainLine(name)),
      ...renderServer(server, look),
    ]),
    '',
    strong('proxy'),
    ...renderServer(proxy, look),
    ...Object.entries(clients).flatMap(([id, check]) => ['', strong(`client ${id}`), renderCheckLine(check, look)]),
    ...Object.entries(hooks).flatMap(([id, checks]) => ['', strong(`hooks of ${id}`), renderChecks(checks, look)]),
    '',
    strong('status, as the aggregator tells it'),
    ...(status === undefined ? [renderCheckLine(aggregator.check, look)] : [renderStatus(status, look)]),
    '',
    problems === 0 ? good('All is well.') : bad(problems === 1 ? '1 problem.' : `${problems} problems.`),
  ];
}

function renderCheckLine({ status, detail }: Check, { style }: Look): string {
  return `${status === 'failed' ? style.bad(status) : status}: ${toPlainLine(detail)}`;
}

function renderServer(server: ServerReport, look: ReportLook): string[] {
  if (server.kind === 'foreign') return [server.detail];
  const { checks } = server;
  const settings = Object.entries(server.settings);
  const shown = look.all ? settings : settings.filter(([, { source }]) => typeof source === 'object');
  const left = settings.length - shown.length;
  return [
    ...(shown.length === 0 ? [] : [renderSettings(shown, look)]),
    ...(left === 0 ? [] : [look.style.faint(`${left} settings at their defaults (--all shows them)`)]),
    ...(checks.length === 0 ? ['nothing to check besides the settings'] : [renderChecks(checks, look)]),
  ];
}

function renderSettings(settings: readonly (readonly [string, PrintedSetting])[], look: Look): string {
  return renderTable(
    [{ title: 'setting' }, { title: 'value', flexible: true }, { title: 'from' }],
    settings.map(([key, setting]) => [
      toPlainLine(setting.variables[0] ?? key),
      toShown(setting.value),
      toPlainLine(describeSource(setting)),
    ]),
    look,
  );
}

function renderChecks(checks: readonly Check[], look: Look): string {
  return renderTable(
    [{ title: 'check' }, { title: 'result' }, { title: 'detail', flexible: true }],
    checks.map(({ name, status, detail }) => [toPlainLine(name), status, toPlainLine(detail)]),
    look,
  );
}

function toShown(value: unknown): string {
  if (value === null || value === undefined) return NOTHING;
  const text = Array.isArray(value) ? value.join(', ') : String(value);
  return text === '' ? NOTHING : toPlainLine(text);
}

function describeEnvFile(envFile: DoctorReport['env_file']): string {
  if (envFile === undefined) return 'no .env file next to it';
  const { file, variables } = envFile;
  return `${toPlainLine(file)}: ${variables.length === 0 ? 'nothing in it' : toPlainLine(variables.join(', '))}`;
}

function describeSource({ source, origin }: PrintedSetting): string {
  if (typeof source === 'object') return `${Object.values(source).join()}${origin === undefined ? '' : ` (${origin})`}`;
  return source === 'absent' ? 'not set' : source;
}
