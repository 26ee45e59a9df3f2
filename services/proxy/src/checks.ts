import { ContextloomError } from '@contextloom/contracts';
import { createUpstreams, type ServerEntry } from '@contextloom/mcp-client';
import type { Log, SettingValues } from '@contextloom/runtime';
import { type Check, type CheckOutcome, runCheck } from '@contextloom/server-kit';
import { settings } from './config.ts';
import { AGGREGATOR } from './memory.ts';
import { version } from './version.ts';

/** What the checks of the proxy work with. */
export interface ProxyCheckOptions {
  readonly config: Pick<SettingValues<typeof settings>, 'providerUrl' | 'providerKey' | 'aggregatorUrl'>;
  /** How the aggregator is reached. */
  readonly entry: ServerEntry;
  readonly log: Log;
}

const TOOLS_TIMEOUT_MS = 9_000;

/** Asks a provider that somebody chose; the default one is asked by chats alone, so that a check sends nothing out. */
async function checkProvider({ config }: ProxyCheckOptions, signal: AbortSignal): Promise<CheckOutcome> {
  const { providerUrl, providerKey } = config;
  if (providerUrl === settings.providerUrl.default) {
    return { status: 'off', detail: `${providerUrl} by default, which is not asked: PROXY_PROVIDER_URL names another` };
  }
  const ask = async (headers: Readonly<Record<string, string>>): Promise<number> => {
    const answer = await fetch(`${providerUrl.replace(/\/$/, '')}/models`, { headers, signal }).catch((cause) => {
      const message = `${providerUrl} cannot be reached: PROXY_PROVIDER_URL or --provider names it`;
      throw new ContextloomError('unavailable', message, { cause });
    });
    await answer.body?.cancel();
    return answer.status;
  };
  const isRefused = (status: number): boolean => providerKey !== undefined && (status === 401 || status === 403);
  const asOpenAi = await ask(providerKey === undefined ? {} : { authorization: `Bearer ${providerKey}` });
  // Anthropic's API reads a key in a header of its own.
  const asAnthropic = { 'x-api-key': providerKey ?? '', 'anthropic-version': '2023-06-01' };
  const status = isRefused(asOpenAi) ? await ask(asAnthropic) : asOpenAi;
  if (isRefused(status)) return { status: 'failed', detail: `${providerUrl} refuses the key in PROXY_PROVIDER_KEY` };
  return status < 500
    ? { status: 'ok', detail: `${providerUrl} answers` }
    : { status: 'failed', detail: `${providerUrl} answers ${status}` };
}

async function checkMemory({ config, entry, log }: ProxyCheckOptions): Promise<CheckOutcome> {
  const { aggregatorUrl } = config;
  if (aggregatorUrl === undefined) return { status: 'off', detail: 'the proxy starts an aggregator of its own' };
  const upstreams = createUpstreams({
    servers: { [AGGREGATOR]: entry },
    clientName: 'contextloom-proxy',
    clientVersion: version,
    log,
    stderr: 'ignore',
  });
  try {
    const listed = await upstreams.listTools(AGGREGATOR, { timeoutMs: TOOLS_TIMEOUT_MS });
    return listed.kind === 'ok'
      ? { status: 'ok', detail: `the aggregator at ${aggregatorUrl} answers` }
      : { status: 'failed', detail: `the aggregator at ${aggregatorUrl} ${listed.reason}: AGGREGATOR_URL names it` };
  } finally {
    await upstreams.close();
  }
}

/** Tries out the provider and the aggregator that the settings name. */
export function checkProxy(options: ProxyCheckOptions): Promise<readonly Check[]> {
  const { log } = options;
  return Promise.all([
    runCheck('provider', (signal) => checkProvider(options, signal), { log }),
    runCheck('memory', () => checkMemory(options), { log }),
  ]);
}
