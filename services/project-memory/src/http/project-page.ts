import { escapeHtml, renderPage } from '@contextloom/server-kit';
import type { Project } from '../domain/memory.ts';
import type { TimelineEntry } from '../domain/store.ts';

/** How the subjects of a project can be sorted. */
export const sortings = ['latest', 'subject', 'type'] as const;

/** One of {@link sortings}. */
export type Sorting = (typeof sortings)[number];

/** What the page of a project shows. */
export interface ProjectPage {
  readonly project: string;
  /** Newest first. */
  readonly entries: readonly TimelineEntry[];
  readonly sort: Sorting;
  /** Most entries that are read. */
  readonly limit: number;
}

const collator = new Intl.Collator(['en', 'zh'], { numeric: true });

const orders: Readonly<Record<Sorting, (a: TimelineEntry, b: TimelineEntry) => number>> = {
  latest: () => 0,
  subject: (a, b) => collator.compare(a.summary, b.summary),
  type: (a, b) => collator.compare(a.contentType, b.contentType),
};

const toDay = (ts: number): string => new Date(ts * 1_000).toISOString().slice(0, 10);

const toPath = (query: Record<string, string>): string => `/projects/index?${new URLSearchParams(query)}`;

const link = (href: string, text: string): string => `<a href="${escapeHtml(href)}">${escapeHtml(text)}</a>`;

function renderTable(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  const head = heads.map((cell) => `<th scope="col">${cell}</th>`).join('');
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n');
  return `<div class="scroll"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`;
}

const toBody = (nav: readonly string[], main: string): string =>
  `<div class="page">\n<nav aria-label="Pages"><ul>${nav.map((item) => `<li>${item}</li>`).join('')}</ul></nav>\n<main>${main}</main>\n</div>`;

/** Renders the page of a project: its subjects, each with a link to the whole text. */
export function renderProjectPage({ project, entries, sort, limit }: ProjectPage): string {
  const rows = [...entries]
    .sort(orders[sort])
    .map(({ id, contentType, summary, ts }) => [
      toDay(ts),
      escapeHtml(contentType),
      link(`/memories?${new URLSearchParams({ ids: id })}`, summary),
    ]);
  const nav = [
    link('/projects/index', 'All projects'),
    ...sortings.map((sorting) => link(toPath({ project_key: project, sort: sorting }), `Sorted by ${sorting}`)),
  ];
  const counted = entries.length === 1 ? '1 subject' : `${entries.length} subjects`;
  const known = entries.length < limit ? counted : `The newest ${limit} subjects`;
  const latest =
    entries[0] === undefined ? 'Nothing is stored here.' : `${known}, the latest of ${toDay(entries[0].ts)}.`;
  const main = `<h1>${escapeHtml(project)}</h1><p class="faint">${latest}</p>${renderTable(['Date', 'Type', 'Subject'], rows)}`;
  return renderPage(`${project}: project memory`, toBody(nav, main));
}

/** Renders the list of all projects. */
export function renderProjectsPage(projects: readonly Project[]): string {
  const rows = projects.map(({ key, name, memoryCount, latestTs }) => [
    link(toPath({ project_key: key }), name),
    escapeHtml(key),
    String(memoryCount),
    latestTs === undefined ? '' : toDay(latestTs),
  ]);
  const main = `<h1>Projects</h1>${renderTable(['Project', 'Key', 'Subjects', 'Latest'], rows)}`;
  return renderPage('Project memory', toBody([link('/docs', 'API reference')], main));
}
