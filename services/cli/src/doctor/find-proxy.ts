import { readSettings, setting, wholeNumber } from '@contextloom/runtime';
import { z } from 'zod';
import type { CliContext } from '../context.ts';
import { toBaseUrl } from '../stack/ports.ts';

/** Where the proxy of this machine listens, as its own settings say. */
const settings = {
  host: setting({ env: ['PROXY_HOST'], schema: z.string(), default: '127.0.0.1', description: 'Its address' }),
  port: setting({ env: ['PROXY_PORT'], schema: wholeNumber(0, 65_535), default: 8040, description: 'Its port' }),
};

/** Whether the proxy runs; `url` is the base URL that a chat program then takes. */
export interface ProxyState {
  readonly status: 'running' | 'stopped';
  readonly url: string;
}

const healthSchema = z.object({ status: z.literal('running'), service: z.literal('proxy') });
/** A proxy of this machine answers in milliseconds. */
const TIMEOUT_MS = 2_000;

/** Asks whether the proxy runs at the address of its settings; something else that listens there is no proxy. */
export async function findProxy(env: CliContext['env'], { signal }: Pick<CliContext, 'signal'>): Promise<ProxyState> {
  const { host, port } = readSettings(settings, env).values;
  const base = toBaseUrl(host, port);
  const answer = await fetch(`${base}/health`, { signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]) })
    .then((response) => response.json())
    .catch(() => undefined); // Nothing listens, or what listens does not speak like this.
  return { status: healthSchema.safeParse(answer).success ? 'running' : 'stopped', url: `${base}/v1` };
}

/** Says whether the proxy runs, in one line. */
export function describeProxy({ status, url }: ProxyState): string {
  return status === 'running'
    ? `the proxy runs: base URL ${url}`
    : 'the proxy does not run: contextloom proxy starts it';
}
