import { resolve } from 'node:path';
import process from 'node:process';
import { ContextloomError } from '@contextloom/contracts';
import { runServer } from '@contextloom/mcp-kit';
import { createPersonaServer } from './build-server.ts';
import { personaFlags, personaSettings } from './config.ts';
import { createFolderPersonaStore } from './store/folder-persona-store.ts';
import { version } from './version.ts';

await runServer({
  process,
  name: 'persona',
  version,
  summary: 'One persona as an MCP server: its texts, its system prompt, its world book.',
  settings: personaSettings,
  flags: personaFlags,
  build: async ({ config, flags, log }) => {
    const store = createFolderPersonaStore({ folder: resolve(config.personasDir) });
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
});
