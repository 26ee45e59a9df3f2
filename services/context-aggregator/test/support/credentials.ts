import { join } from 'node:path';
import { type CredentialStore, openCredentialStore } from '@contextloom/mcp-client';

/** A store of credentials in a folder, with a key of its own. */
export const openTestStore = (folder: string): CredentialStore =>
  openCredentialStore({
    credentialsFile: join(folder, 'credentials.json'),
    credentialsKey: undefined,
    credentialsKeyFile: join(folder, 'credentials.key'),
  });
