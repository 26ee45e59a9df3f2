import { silentLog } from '@contextloom/runtime';
import { createApi } from '@contextloom/server-kit';
import { tryAuthorization } from '@contextloom/testing';
import { expect, it } from '@jest/globals';
import { createPersonaServer } from '../src/build-server.ts';
import type { Persona } from '../src/domain/persona.ts';
import { createOperations } from '../src/operations/index.ts';

const persona: Persona = {
  name: 'nora',
  displayName: 'Nora',
  language: 'en',
  description: undefined,
  personaText: 'You are {{char}}.\n',
  safetyText: 'Be kind.\n',
  worldBook: [],
};

it('answers every operation as the rights of its caller say', async () => {
  const definition = { title: 'n', description: 'n', version: '0', log: silentLog };
  const report = await tryAuthorization({
    name: 'persona-nora',
    operations: createOperations(persona),
    factory: createPersonaServer({ persona, version: '0', log: silentLog }),
    api: createApi({ ...definition, routes: [], deps: undefined }),
    own: { user: 'ann', project: 'shop' },
  });
  expect(report.wrong).toEqual([]);
  expect(report.cells).toBeGreaterThan(50);
});
