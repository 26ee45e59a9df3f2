/**
 * How tables are laid out: `plain` for most; `partitioned` by owner, inside one server; `citus`, distributed by owner over
 * many. The last two put the owner into every key, as both ask for.
 */
export const layouts = ['plain', 'partitioned', 'citus'] as const;

/** One of {@link layouts}. */
export type Layout = (typeof layouts)[number];

/** How many partitions a table has; owners are spread over them by hash. */
const PARTITIONS = 16;

/** The parts of a schema's SQL that differ between layouts. */
export interface LayoutSql {
  /** What stands before the other columns of a key. */
  readonly key: string;
  /** What follows the closing parenthesis of `create table`. */
  readonly end: (table: string) => string;
  /** A foreign key; its columns without the owner. */
  readonly refer: (table: string, columns: string, target: string, targetColumns: string) => string;
}

function toEnd(layout: Layout, table: string): string {
  if (layout === 'plain') return '';
  if (layout === 'citus') {
    const group = table === 'projects' ? 'none' : 'projects';
    return `;\nselect create_distributed_table('${table}', 'owner_id', colocate_with => '${group}')`;
  }
  const parts = Array.from(
    { length: PARTITIONS },
    (_, at) =>
      `;\ncreate table ${table}_${at} partition of ${table} for values with (modulus ${PARTITIONS}, remainder ${at})`,
  );
  return ` partition by hash (owner_id)${parts.join('')}`;
}

/** Writes what a layout adds to the schema. Foreign keys are added to tables that are distributed already, as Citus wants it. */
export function toLayoutSql(layout: Layout): LayoutSql {
  const key = layout === 'plain' ? '' : 'owner_id, ';
  return {
    key,
    end: (table) => toEnd(layout, table),
    refer: (table, columns, target, targetColumns) =>
      `alter table ${table} add foreign key (${key}${columns}) references ${target} (${key}${targetColumns}) on delete cascade`,
  };
}
