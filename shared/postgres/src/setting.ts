import { z } from 'zod';

const DATABASE_URL = 'must be an address such as postgres://user:password@127.0.0.1:5432/contextloom';

/** The address of a Postgres database, as DATABASE_URL has it. */
export const databaseUrlSchema = z.url({ protocol: /^postgres(?:ql)?$/, error: DATABASE_URL });

/** How a store compares vectors that keeps them where Postgres does not look into them, as a check tells it. */
export const EXACT_COMPARISON = 'vectors are compared exactly, without pgvector';

/** Where a database is, without user and password. */
export function toDatabaseName(url: string): string {
  const { host, pathname } = new URL(url);
  return `the Postgres database ${host}${pathname}`;
}
