import { openChatModel } from '@contextloom/llm';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import type { Config } from './config.ts';
import { type OpenStoreOptions, openStore } from './open-store.ts';
import { openVault, ownKeyFile } from './open-vault.ts';

async function checkModel(config: Config, signal: AbortSignal): Promise<CheckOutcome> {
  const model = await openChatModel(config);
  const without =
    config.mirixUrl === undefined
      ? 'cannot be used'
      : 'is left to the agent of the MIRIX desktop backend, if it is one';
  if (model === undefined) return { status: 'off', detail: `no model is configured: memory_chat ${without}` };
  await model.complete({ messages: [{ role: 'user', content: 'Answer with the word ok.' }], maxTokens: 16, signal });
  return { status: 'ok', detail: `${model.model} at ${model.address} answers` };
}

async function checkStore(options: OpenStoreOptions, signal: AbortSignal): Promise<CheckOutcome> {
  const store = openStore({ ...options, serverLog: 'ignore' });
  try {
    await store.check(options.config.userId, signal);
    return { status: 'ok', detail: `the ${store.backend} answers` };
  } finally {
    await store.close();
  }
}

async function checkVault({ config, log }: Pick<OpenStoreOptions, 'config' | 'log'>): Promise<CheckOutcome> {
  const vault = await (await openVault(config, { log })).find();
  const isOwn = config.vaultKey === undefined && config.vaultKeyFile === undefined;
  if (config.mirixUrl !== undefined) {
    return { status: 'off', detail: 'the MIRIX server keeps nothing sealed: knowledge_vault is refused' };
  }
  if (vault === undefined) return { status: 'ok', detail: `a key is made in ${ownKeyFile} for the first secret` };
  return { status: 'ok', detail: isOwn ? `the key of the vault lies in ${ownKeyFile}` : 'the vault has a key' };
}

/** Tries out what the server is set up for. */
export function checkTypedMemory(options: OpenStoreOptions): Promise<readonly Check[]> {
  const { config, log } = options;
  return Promise.all([
    runCheck('model', (signal) => checkModel(config, signal), { log }),
    runCheck('memories', (signal) => checkStore(options, signal), { log }),
    runCheck('vault', () => checkVault(options), { log }),
  ]);
}
