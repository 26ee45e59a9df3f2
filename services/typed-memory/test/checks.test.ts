import { readSettings, silentLog } from '@contextloom/runtime';
import { startScriptedOpenAi } from '@contextloom/testing/llm';
import { expect, it } from '@jest/globals';
import { checkTypedMemory } from '../src/checks.ts';
import { settings } from '../src/config.ts';
import { ownKeyFile } from '../src/open-vault.ts';
import { vaultKey } from './support/service.ts';

const check = (env: Readonly<Record<string, string>>) =>
  checkTypedMemory({ config: readSettings(settings, env).values, env, log: silentLog, clock: () => new Date() });

it('what the server needs is tried out, and no key is told', async () => {
  const endpoint = await startScriptedOpenAi({ chat: [{ kind: 'answer', text: 'ok' }] });
  const env = {
    LLM_BASE_URL: endpoint.url,
    LLM_API_KEY: endpoint.apiKey,
    AI_MODEL: 'scripted',
    KB_URL: 'http://127.0.0.1:1',
    MEMORY_VAULT_KEY: vaultKey.toString('base64'),
  };
  const checks = await check(env);
  await endpoint.close();
  expect(checks).toMatchObject([
    { name: 'model', status: 'ok' },
    { name: 'memories', status: 'failed', detail: expect.stringContaining('127.0.0.1:1') },
    { name: 'vault', status: 'ok' },
  ]);
  for (const key of [endpoint.apiKey, env.MEMORY_VAULT_KEY]) expect(JSON.stringify(checks)).not.toContain(key);
});

it('what is not set up is off, and says what is missing', async () => {
  const checks = await check({ KB_URL: 'http://127.0.0.1:1' });
  expect(checks).toMatchObject([
    { name: 'model', status: 'off' },
    { name: 'memories', status: 'failed' },
    { name: 'vault', status: 'ok', detail: expect.stringContaining(ownKeyFile) },
  ]);
});

it.each([
  [{ MEMORY_SEARCH_LIMIT: '51' }, 'MEMORY_SEARCH_LIMIT must be a whole number from 1 to 50'],
  [{ DEFAULT_MEMORY_TYPE: 'dream' }, 'DEFAULT_MEMORY_TYPE must be one of'],
  [{ AUTO_CATEGORIZE_MEMORY: 'maybe' }, 'AUTO_CATEGORIZE_MEMORY must be true or false'],
  [{ CHAT_HISTORY_TOKENS: '-1' }, 'CHAT_HISTORY_TOKENS must be a whole number of tokens from 0 to 100000'],
])('%j is refused by the name of its setting', (env, message) => {
  expect(() => readSettings(settings, env)).toThrow(message);
});
