import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { accessSettings, openKeyDatabase } from '@contextloom/access';
import type { ConnectionStore } from '@contextloom/access/authorization';
import { ContextloomError } from '@contextloom/contracts';
import { readSettings, silentLog } from '@contextloom/runtime';
import type { Command } from 'commander';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { readGlobals } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';

/** Adds `connections`: the programs that people let in, such as claude.ai and ChatGPT. */
export function registerConnections(program: Command, context: CliContext): void {
  const connections = program
    .command('connections')
    .description('list and end the connections of programs that people let in, such as claude.ai and ChatGPT');
  connections
    .command('list')
    .description('list them: which program, whose memory, by which key')
    .action(async (_options: object, command: Command) => {
      const found = (await withStore(context, command, ({ list }) => list())) ?? [];
      if (readGlobals(command).json) return printJson(context, { connections: found });
      if (found.length === 0) return printLines(context, ['No program has been let in.']);
      const rows = found.map(({ id, client_name, redirect_host, user_id, key_name, scopes, created_at }) => [
        id,
        `${client_name} (${redirect_host})`,
        user_id,
        key_name,
        scopes.join(', '),
        created_at.slice(0, 10),
      ]);
      printLines(context, [renderTable(columns, rows, outputLook(context))]);
    });
  connections
    .command('revoke')
    .description('end a connection: its next request is refused')
    .argument('<id>', 'the connection, as "connections list" shows it')
    .action(async (id: string, _options: object, command: Command) => {
      const isEnded = await withStore(context, command, ({ revoke }) => revoke(id));
      if (isEnded !== true) {
        throw new ContextloomError('not_found', `there is no connection "${id}"`, { field: 'id' });
      }
      if (readGlobals(command).json) printJson(context, { id, revoked: true });
      else printLines(context, [`The connection ${id} is ended.`]);
    });
}

const columns: readonly Column[] = [
  { title: 'id', minWidth: 21 },
  { title: 'program', flexible: true },
  { title: 'user', flexible: true },
  { title: 'key', flexible: true },
  { title: 'scopes', minWidth: 10 },
  { title: 'made', minWidth: 10 },
];

/** Opens those of the database of keys, or the file next to the keys, that the servers of the composition read; undefined where there is none. */
async function withStore<T>(
  context: CliContext,
  command: Command,
  work: (store: ConnectionStore) => Promise<T>,
): Promise<T | undefined> {
  const { env } = await loadComposition(context, readGlobals(command));
  const { keysFile: file, keysUrl } = accessSettings;
  const { keysFile, url } = readSettings({ keysFile: file, url: keysUrl }, env).values;
  if (url === undefined && !existsSync(join(dirname(keysFile), 'connections.db'))) return undefined;
  const keys = url === undefined ? undefined : await openKeyDatabase({ url, file: keysFile, log: silentLog });
  try {
    // SQLite is loaded for this alone.
    const { openConnectionStore } = await import('@contextloom/access/authorization');
    const store = await openConnectionStore({ keysFile, database: keys?.database, clock: () => new Date() });
    return await work(store).finally(store.close);
  } finally {
    await keys?.close();
  }
}
