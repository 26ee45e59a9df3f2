import { dirname, join } from 'node:path';
import type { StoreUpkeep } from '@contextloom/contracts';
import { toSchemaUpkeep } from '@contextloom/postgres';
import { toFileUpkeep } from '@contextloom/sqlite';
import { accessSchema } from '../database/access-database.ts';
import type { AccessConfig } from '../open-access.ts';
import { connectionTables } from './connection-rows.ts';

/** The upkeep of what the settings have of connections, keys and activity in databases; a file of keys has no schema. */
export function toAccessUpkeeps({
  keysUrl: url,
  keysFile,
  authIssuer,
}: Pick<AccessConfig, 'keysUrl' | 'keysFile' | 'authIssuer'>): readonly StoreUpkeep[] {
  if (url !== undefined)
    return [toSchemaUpkeep({ store: 'keys, connections and activity', url, schema: accessSchema })];
  if (authIssuer !== 'self') return [];
  const where = join(dirname(keysFile), 'connections.db');
  return [toFileUpkeep({ store: 'connections', where, migrations: connectionTables })];
}
