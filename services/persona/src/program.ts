import { resolve } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import type { ServerProgram } from '@contextloom/server-kit';
import { createPersonaServer } from './build-server.ts';
import { BUILT_IN_PERSONAS, personaFlags, personaSettings } from './config.ts';
import { createFolderPersonaStore } from './store/folder-persona-store.ts';
import { createLayeredPersonaStore } from './store/layered-persona-store.ts';
import { version } from './version.ts';

/** One persona as a server. */
export const personaProgram: ServerProgram<typeof personaSettings> = {
  name: 'persona',
  version,
  summary: 'One persona as an MCP server: its texts, its system prompt, its world book.',
  settings: personaSettings,
  flags: personaFlags,
  build: async ({ config, flags, log }) => {
    const folders = [...(config.personasDir === undefined ? [] : [resolve(config.personasDir)]), BUILT_IN_PERSONAS];
    const store = createLayeredPersonaStore(folders.map((folder) => createFolderPersonaStore({ folder })));
    const name = flags['persona'];
    if (typeof name !== 'string') {
      const names = (await store.names()).join(', ');
      throw new ContextloomError('invalid', `--persona is required: one of ${names}`, { field: 'persona' });
    }
    const persona = await store.load(name);
    log.info({ persona: name, entries: persona.worldBook.length }, 'persona loaded');
    if (persona.safetyText === '') log.warn({ persona: name }, 'the persona has no safety.md');
    return { factory: createPersonaServer({ persona, version, log }) };
  },
};
