import { join } from 'node:path';
import { setting, userFolders } from '@contextloom/runtime';
import { z } from 'zod';

/** Where accounts at other servers are kept. */
export const accountSettings = {
  credentialsFile: setting({
    env: ['CONTEXTLOOM_CREDENTIALS_FILE'],
    schema: z.string(),
    default: join(userFolders.data, 'credentials.json'),
    description: 'Accounts at other MCP servers, as "contextloom credentials" writes them, sealed',
  }),
  credentialsKey: setting({
    env: ['CONTEXTLOOM_CREDENTIALS_KEY'],
    schema: z.string(),
    secret: true,
    description: 'The key that seals them: 32 bytes, base64; one of its own in a file without it',
  }),
  credentialsKeyFile: setting({
    env: ['CONTEXTLOOM_CREDENTIALS_KEY_FILE'],
    schema: z.string(),
    // Apart from the data and its backups, or a copy of those would open itself.
    default: join(userFolders.config, 'credentials.key'),
    description: 'The file of that key; made when the first credential is set',
  }),
};
