import type { Selection } from '../../domain/store.ts';
import type { StoredLine } from '../../domain/transfer/lines.ts';
import type { Dialect, Row, Sql } from '../database.ts';
import { findProjectIds } from './selection.ts';

/** How many rows are read at once; the texts of memories can be long. */
const PAGE = 20;

const time = ({ iso }: Dialect, column: string): string => `${iso(`s.${column}`, 'US')} as ${column}`;

const CONTENT = 's.revision, s.content_type, s.content, s.ts as ts, s.summary, s.tags';

const projects = ({ oneOf }: Dialect): string => `
  select 'project' as kind, project_key, project_name, machine_name, project_path, project_key as cursor
  from projects where owner_id = $1 and ${oneOf('id', 2, 'project')} and project_key > $3 order by project_key limit ${PAGE}`;

const memories = (dialect: Dialect): string => `
  select 'memory' as kind, s.id, p.project_key, ${CONTENT}, ${time(dialect, 'created_at')},
         ${time(dialect, 'updated_at')}, s.ends_at, s.id as cursor
  from memories s join projects p on p.id = s.project_id and p.owner_id = s.owner_id
  where s.owner_id = $1 and ${dialect.oneOf('s.project_id', 2, 'project')} and s.id > $3 order by s.id limit ${PAGE}`;

const versionsOf = (dialect: Dialect): string => `
  select 'version' as kind, s.memory_id, ${CONTENT}, ${time(dialect, 'created_at')},
         ${time(dialect, 'replaced_at')}, s.revision as cursor
  from memory_versions s
  where s.owner_id = $1 and s.memory_id = $2 and s.revision > $3 and s.revision < $4 order by s.revision limit ${PAGE}`;

const arbitrations = (dialect: Dialect): string => `
  select 'arbitration' as kind, p.project_key, s.candidate_memory_id, s.new_memory_id, s.action, s.similarity,
         s.old_summary, s.new_summary, s.model, s.revision, s.skipped_type, s.skipped_content,
         s.skipped_ts as skipped_ts, ${time(dialect, 'created_at')},
         ${time(dialect, 'rolled_back_at')}, s.ends_at, cast(s.id as text) as cursor
  from memory_arbitrations s join projects p on p.id = s.project_id and p.owner_id = s.owner_id
  where s.owner_id = $1 and ${dialect.oneOf('s.project_id', 2, 'project')} and s.id > cast($3 as bigint) order by s.id limit ${PAGE}`;

/** Links both of whose ends are exported. What was linked before the export began was there to be exported. */
const links = (dialect: Dialect): string => `
  select 'link' as kind, s.from_id, s.to_id, s.relation, ${time(dialect, 'created_at')},
         s.from_id || ' ' || s.to_id || ' ' || s.relation as cursor
  from memory_links s
  join memories a on a.owner_id = s.owner_id and a.id = s.from_id
  join memories b on b.owner_id = s.owner_id and b.id = s.to_id
  where s.owner_id = $1 and ${dialect.oneOf('a.project_id', 2, 'project')} and ${dialect.oneOf('b.project_id', 2, 'project')}
    and s.from_id || ' ' || s.to_id || ' ' || s.relation > $3 and s.created_at <= ${dialect.time(4)}
  order by cursor limit ${PAGE}`;

/** Reads a table page by page: nothing is locked meanwhile, and no page waits in memory for a slow reader. */
async function* readPages(
  sql: Sql,
  text: string,
  [first, second, start, ...more]: readonly unknown[],
): AsyncGenerator<Row> {
  let cursor = start;
  for (;;) {
    const rows = await sql.query<Row>(text, [first, second, cursor, ...more]);
    for (const { cursor: at, ...row } of rows) {
      cursor = at;
      yield row;
    }
    if (rows.length < PAGE) return;
  }
}

/**
 * All that is stored of a selection. A memory is read before its earlier states, which never change, so that they fit each
 * other whatever is written meanwhile.
 */
export async function* exportLines(sql: Sql, selection: Selection): AsyncGenerator<StoredLine> {
  const { ownerId } = selection;
  const [clock] = await sql.query<{ now: string }>('select cast(now() as text) as now');
  const { dialect } = sql;
  const about = [ownerId, await findProjectIds(sql, selection)];
  const toLine = ({ ends_at: end, ...row }: Row): StoredLine =>
    ({ ...row, ...(typeof end === 'number' && { ends_at: end }) }) as unknown as StoredLine;
  for await (const row of readPages(sql, projects(dialect), [...about, ''])) yield toLine(row);
  for await (const row of readPages(sql, memories(dialect), [...about, ''])) {
    const versions = readPages(sql, versionsOf(dialect), [ownerId, row['id'], 0, row['revision']]);
    for await (const version of versions) yield toLine(version);
    yield toLine(row);
  }
  for await (const row of readPages(sql, arbitrations(dialect), [...about, '0'])) yield toLine(row);
  for await (const row of readPages(sql, links(dialect), [...about, '', clock?.now])) yield toLine(row);
}
