import { createRequire } from 'node:module';
import { ContextloomError } from '@contextloom/contracts';
import BetterSqlite3 from 'better-sqlite3';

const require = createRequire(import.meta.url);

/** The build of better-sqlite3 that encrypts files. Only those who set a key install it. */
const CIPHER_PACKAGE = 'better-sqlite3-multiple-ciphers';

/** A connection of that build. */
interface CipheredDatabase extends BetterSqlite3.Database {
  key(key: Buffer): unknown;
}
type OpenCiphered = new (file: string, options: BetterSqlite3.Options) => CipheredDatabase;

function loadCiphered(): OpenCiphered {
  try {
    return require(CIPHER_PACKAGE);
  } catch (cause) {
    const message = `a key for the database is set, and the package that encrypts is not there: npm install --no-save ${CIPHER_PACKAGE}`;
    throw new ContextloomError('unavailable', message, { cause });
  }
}

/** How a connection is opened. */
export interface ConnectOptions extends BetterSqlite3.Options {
  /** The key of an encrypted file. */
  readonly cipherKey?: string | undefined;
}

/** Opens a connection; with a key to a file encrypted as SQLCipher does. @throws ContextloomError `unavailable` */
export function connect(file: string, { cipherKey, ...options }: ConnectOptions): BetterSqlite3.Database {
  if (cipherKey === undefined) return new BetterSqlite3(file, options);
  const database = new (loadCiphered())(file, options);
  database.pragma("cipher = 'sqlcipher'");
  database.key(Buffer.from(cipherKey));
  return database;
}

/** Whether a connection is of the build that encrypts. */
export function isCiphered(database: BetterSqlite3.Database): boolean {
  return 'key' in database;
}
