import { randomUUID } from 'node:crypto';
import { type BigIntStats, readFileSync, statSync } from 'node:fs';
import { ContextloomError } from '@contextloom/contracts';
import type { SettingValues } from '@contextloom/runtime';
import {
  createSealer,
  makeSecretKeyFile,
  parseSecretKey,
  readSecretKeyFile,
  requireOwnWriting,
  type Sealer,
  toFileError,
  updateFile,
} from '@contextloom/runtime';
import type { AccountName } from '../login-needed.ts';
import { type Credential, parseCredentialFile, type StoredCredential, toCredentialFile } from './credential.ts';
import type { accountSettings } from './settings.ts';

/** A credential that was opened. */
export interface OpenedCredential {
  readonly revision: string;
  readonly credential: Credential;
}

/** Accounts at other servers. The file is read again whenever it changed. */
export interface CredentialStore {
  readonly file: string;
  /** Another text whenever the file is another one. */
  readonly version: () => string;
  /** @throws ContextloomError `unavailable` for a file that cannot be read, `forbidden` for one sealed with another key */
  readonly find: (account: AccountName) => OpenedCredential | undefined;
  readonly list: () => readonly StoredCredential[];
  /** Sets a credential in place of the one before; answers where a key was made for it, if one was. */
  readonly set: (account: AccountName, credential: Credential) => Promise<{ readonly madeKeyAt?: string }>;
  /** Writes renewed tokens, unless the credential was set again or removed meanwhile. */
  readonly renew: (account: AccountName, renewed: OpenedCredential) => Promise<void>;
  /** @throws ContextloomError `not_found` */
  readonly remove: (account: AccountName) => Promise<void>;
}

const KEY = 'CONTEXTLOOM_CREDENTIALS_KEY';
const ADVICE = {
  field: KEY,
  advice: `set ${KEY} (32 bytes, base64, as "openssl rand -base64 32" makes them) or ${KEY}_FILE`,
};

const toWrongKey = (cause?: unknown): ContextloomError =>
  new ContextloomError(
    'forbidden',
    `a credential was sealed with another key: set ${KEY} to it, or set the credential again`,
    {
      field: KEY,
      cause,
    },
  );

const toPlace = ({ server, user }: AccountName) => ({ userId: user ?? '', id: `credential of ${server}` });
const isOf =
  ({ server, user }: AccountName) =>
  (stored: StoredCredential): boolean =>
    stored.server === server && stored.user === user;

const stampOf = ({ mtimeNs, ctimeNs, size, ino }: BigIntStats): string => `${mtimeNs} ${ctimeNs} ${size} ${ino}`;

/** Opens the file of credentials; there need be none yet. */
export function openCredentialStore(
  settings: SettingValues<typeof accountSettings>,
  clock: () => Date = () => new Date(),
): CredentialStore {
  const { credentialsFile: file, credentialsKey, credentialsKeyFile: keyFile } = settings;
  let stamp: string | undefined;
  let stored: readonly StoredCredential[] = [];
  let opened = new Map<StoredCredential, OpenedCredential>();

  const version = (): string => {
    const stats = statSync(file, { bigint: true, throwIfNoEntry: false });
    return stats === undefined ? 'absent' : stampOf(stats);
  };

  function read(): readonly StoredCredential[] {
    const now = version();
    if (now === stamp) return stored;
    stored = now === 'absent' ? [] : readStored(file);
    opened = new Map();
    stamp = now;
    return stored;
  }

  function findSealer(): Sealer | undefined {
    const key =
      credentialsKey === undefined
        ? readSecretKeyFile({ path: keyFile, name: keyFile })
        : parseSecretKey(credentialsKey, KEY);
    return key && createSealer({ key, toWrongKey });
  }

  function open(one: StoredCredential): OpenedCredential {
    const known = opened.get(one);
    if (known !== undefined) return known;
    const sealer = findSealer();
    if (sealer === undefined) throw toWrongKey();
    const credential = JSON.parse(
      sealer.open(one.sealed, toPlace({ server: one.server, user: one.user })),
    ) as Credential;
    const result = { revision: one.revision, credential };
    opened.set(one, result);
    return result;
  }

  const write = (toNext: (before: readonly StoredCredential[]) => readonly StoredCredential[]): Promise<void> =>
    updateFile(file, (text) => toCredentialFile(toNext(text === undefined ? [] : parseCredentialFile(text, file))), {
      mode: 0o600,
    }).catch((error: unknown) => {
      throw toFileError(error, file, 'written');
    });

  return {
    file,
    version,
    list: read,
    find: (account) => {
      const found = read().find(isOf(account));
      return found && open(found);
    },
    set: async (account, credential) => {
      let madeKeyAt: string | undefined;
      if (findSealer() === undefined && (await makeSecretKeyFile(keyFile, ADVICE))) madeKeyAt = keyFile;
      const sealer = findSealer();
      if (sealer === undefined) throw new ContextloomError('unavailable', `${keyFile} was removed as it was made`);
      const { server, user } = account;
      const next: StoredCredential = {
        server,
        ...(user !== undefined && { user }),
        kind: credential.kind,
        revision: randomUUID(),
        created_at: clock().toISOString(),
        sealed: sealer.seal(JSON.stringify(credential), toPlace(account)),
      };
      await write((before) => [...before.filter((one) => !isOf(account)(one)), next]);
      return madeKeyAt === undefined ? {} : { madeKeyAt };
    },
    renew: async (account, { revision, credential }) => {
      const sealed = findSealer()?.seal(JSON.stringify(credential), toPlace(account));
      await write((before) =>
        before.map((one) =>
          isOf(account)(one) && one.revision === revision && sealed !== undefined ? { ...one, sealed } : one,
        ),
      );
    },
    remove: async (account) => {
      await write((before) => {
        if (before.some(isOf(account))) return before.filter((one) => !isOf(account)(one));
        const whose = account.user === undefined ? 'no credential' : `no credential of ${account.user}`;
        throw new ContextloomError('not_found', `there is ${whose} for ${account.server}`, { field: 'server' });
      });
    },
  };
}

function readStored(file: string): readonly StoredCredential[] {
  try {
    requireOwnWriting(file, statSync(file).mode);
    return parseCredentialFile(readFileSync(file, 'utf8'), file);
  } catch (error) {
    throw toFileError(error, file, 'read');
  }
}
