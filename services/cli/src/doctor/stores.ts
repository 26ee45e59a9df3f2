import { type StoreState, storeStatesSchema } from '@contextloom/contracts';
import { AGGREGATOR } from '../aggregator.ts';
import { loadComposition } from '../composition/composition.ts';
import { entryFile } from '../composition/installation.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import type { Look } from '../output/print.ts';
import { renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';
import { askServer } from './check-server.ts';

/** A store and the service that has it; a service that gave no answer has the reason alone. */
export type ServiceStore =
  | ({ readonly service: string } & StoreState)
  | { readonly service: string; readonly state: 'unreachable'; readonly reason: string };

/** What looking at all stores of a composition came to. */
export interface StoresReport {
  /** Whether no migration is outstanding and every store can be used. */
  readonly success: boolean;
  readonly stores: readonly ServiceStore[];
  /** Servers whose stores nobody here can look at: of others, or at an address. */
  readonly not_asked: readonly string[];
}

/** What is missing of a file is made at the first need; a database is prepared before. */
const isReady = (store: ServiceStore): boolean =>
  store.state === 'current' || (store.state === 'missing' && 'engine' in store && store.engine === 'sqlite');

/** Has time for the migrations of a large store. */
const MIGRATING_MS = 24 * 3_600_000;

/** Asks every server of a composition for its stores, and the aggregator for keys and connections; `migrate` brings them up to date. */
export async function lookAtStores(
  mode: 'check' | 'migrate',
  context: CliContext,
  globals: GlobalOptions,
): Promise<StoresReport> {
  const { file, env, servers } = await loadComposition(context, globals);
  const given = Object.entries(env).filter((one): one is [string, string] => one[1] !== undefined);
  const aggregator = {
    command: context.execPath,
    args: [entryFile(AGGREGATOR, 'server.js'), '--config', file],
    env: Object.fromEntries(given),
    cwd: context.cwd,
  };
  const options = { signal: context.signal, ...(mode === 'migrate' && { timeoutMs: MIGRATING_MS }) };
  const pending = Object.entries({ ...servers, [AGGREGATOR]: aggregator }).map(async ([service, entry]) => {
    const reply = await askServer(entry, ['--stores', mode], options);
    if (reply.kind === 'foreign') return { service, stores: undefined };
    const failed = (reason: string) => [{ service, state: 'unreachable' as const, reason }];
    if (reply.kind === 'failed') return { service, stores: failed(reply.detail) };
    const answer = storeStatesSchema.safeParse(reply.answer);
    if (!answer.success) return { service, stores: failed('answered --stores with something else') };
    return { service, stores: answer.data.stores.map((one) => ({ service, ...one })) };
  });
  const answers = await Promise.all(pending);
  const stores = answers.flatMap((one): readonly ServiceStore[] => one.stores ?? []);
  const not_asked = answers.flatMap(({ service, stores: known }) => (known === undefined ? [service] : []));
  return { success: stores.every(isReady), stores, not_asked };
}

const SHOWN = {
  current: 'current',
  behind: 'behind',
  newer: 'newer',
  missing: 'not there',
  unreachable: 'unreachable',
};

/** Writes the stores as a table, and below it what is wrong, a sentence each. */
export function renderStores({ success, stores, not_asked }: StoresReport, look: Look): string[] {
  const rows = stores.map((one) => [
    toPlainLine(one.service),
    'store' in one ? toPlainLine(one.store) : '–',
    'engine' in one ? one.engine : '–',
    'where' in one ? toPlainLine(one.where) : '–',
    'expected' in one ? `${one.found ?? '–'} of ${one.expected}` : '–',
    SHOWN[one.state],
  ]);
  const titles = ['service', 'store', 'engine', 'where', 'version', 'state'];
  const columns = titles.map((title) => ({ title, ...(title === 'where' && { flexible: true }) }));
  const troubles = stores.filter((one) => !isReady(one)).map((one) => look.style.bad(toPlainLine(toSentence(one))));
  return [
    renderTable(columns, rows, look),
    ...(not_asked.length === 0
      ? []
      : [`Not looked at, since they are none of ours: ${not_asked.map(toPlainLine).join(', ')}.`]),
    ...troubles,
    ...(success ? [look.style.good('No migration is outstanding.')] : []),
  ];
}

function toSentence(one: ServiceStore): string {
  if (!('store' in one)) return `${one.service}: ${one.reason}`;
  const { service, store, where, reason, found, expected } = one;
  if (reason !== undefined) return `${service}, ${store} in ${where}: ${reason}`;
  const what = found === null ? 'has no tables yet' : `has version ${found} of ${expected}`;
  return `${service}, ${store}: ${where} ${what}; "contextloom migrate", or the next start, brings it up to date`;
}
