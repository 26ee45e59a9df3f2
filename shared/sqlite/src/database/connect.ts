import { createRequire } from 'node:module';
import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';
import type BetterSqlite3 from 'better-sqlite3';

/** What is known about a SQLite that cannot be loaded. */
interface Unloadable {
  readonly package: string;
  /** The version of Node that runs, as a number such as 20. */
  readonly nodeMajor: number;
  readonly cause: unknown;
}

/**
 * Says why SQLite cannot be loaded, and what to do. npm leaves a package out that does not run on its Node, and one that it could
 * not compile: `npm rebuild` has nothing to say about those.
 */
export function describeUnloadable({ package: name, nodeMajor, cause }: Unloadable): string {
  if (Object(cause).code !== 'MODULE_NOT_FOUND') {
    return `SQLite cannot be loaded: ${name} has no binary that runs here; "npm rebuild ${name}" says why`;
  }
  const missing = `SQLite cannot be loaded: ${name}, which Node ${nodeMajor} needs, is not installed. Install contextloom again with this version of Node`;
  if (nodeMajor >= 22) return missing;
  return `${missing}; where it is still missing, "npm install ${name}@12" says why it cannot be compiled (Node 22 or newer needs no compiler)`;
}

const require = createRequire(import.meta.url);

const [NODE_MAJOR = 0] = process.versions.node.split('.').map(Number);

/**
 * Version 13 of better-sqlite3 needs Node 22, and brings its binaries along. Version 12 runs on Node 20, where the other one cannot;
 * from Node 24.19 on, it ends the process that collects one of its statements late.
 */
const PACKAGE = NODE_MAJOR >= 22 ? 'better-sqlite3-napi' : 'better-sqlite3';

let plain: typeof BetterSqlite3 | undefined;

function loadPlain(): typeof BetterSqlite3 {
  if (plain !== undefined) return plain;
  try {
    const loaded: typeof BetterSqlite3 = require(PACKAGE);
    // The package looks for its binary when it first opens something: its absence is no fault of the file that is requested.
    new loaded(':memory:').close();
    plain = loaded;
    return loaded;
  } catch (cause) {
    const message = describeUnloadable({ package: PACKAGE, nodeMajor: NODE_MAJOR, cause });
    throw new ContextloomError('unavailable', message, { cause });
  }
}

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
  if (cipherKey === undefined) return new (loadPlain())(file, options);
  const database = new (loadCiphered())(file, options);
  database.pragma("cipher = 'sqlcipher'");
  database.key(Buffer.from(cipherKey));
  return database;
}

/** Opens a database in memory, and closes it. @throws ContextloomError `unavailable` where SQLite cannot be loaded */
export function requireSqlite(): void {
  connect(':memory:', {}).close();
}

/** Whether a connection is of the build that encrypts. */
export function isCiphered(database: BetterSqlite3.Database): boolean {
  return 'key' in database;
}
