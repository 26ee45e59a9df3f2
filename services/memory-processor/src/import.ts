#!/usr/bin/env node
import { resolve } from 'node:path';
import process from 'node:process';
import { ContextloomError, isContextloomError } from '@contextloom/contracts';
import { ignoreBrokenPipe } from '@contextloom/runtime';
import { openSource, type Source } from '@contextloom/transcripts';
import { createBudget } from './command/budget.ts';
import { untilInterrupt } from './command/interrupt.ts';
import { openService } from './command/open-service.ts';
import { beginRereading, toResumedLine } from './command/rereading.ts';
import { toSpentLine } from './command/usage-line.ts';
import type { Usage } from './domain/extractor.ts';
import type { Journal } from './domain/imports/journal.ts';
import { askWhoIsMe, confirmImport, findCandidates, refuseUnknownMe, sortByLikeness } from './imports/ask.ts';
import type { ImportRequest } from './imports/import-request.ts';
import { type ImportCommand, type ImportOptions, parseImportOptions } from './imports/options.ts';
import { type Plan, planImport } from './imports/plan-import.ts';
import { createImportProgress } from './imports/progress.ts';
import { renderImports, renderOutcome, renderPlan, renderUndone } from './imports/render.ts';
import { type ImportsOutcome, runImport, runImports, toImportId } from './imports/run-import.ts';
import { undoImport } from './imports/undo-import.ts';
import { version } from './version.ts';

const print = (text: string): boolean => process.stdout.write(`${text}\n`);
const warn = (text: string): boolean => process.stderr.write(`${text}\n`);
const width =
  process.stdout.columns !== undefined && process.stdout.columns > 0 ? Math.min(120, process.stdout.columns) : 80;
const printJson = (value: unknown): boolean => print(JSON.stringify(value, null, 2));

const clock = (): Date => new Date();

async function openImporter(config: string | undefined, onUsage: (spent: Usage) => void) {
  const service = await openService(config, { env: process.env, clock }, onUsage);
  const { journal, locks } = await service.databases.openImports();
  const close = async (): Promise<void> => {
    await Promise.all([service.databases.close(), service.memories.close(), service.graph.close()]);
  };
  return { ...service, journal, locks, close };
}

type Importer = Awaited<ReturnType<typeof openImporter>>;

/** Opens what can be opened; the rest is named in the preview of its own. */
async function openSources(paths: readonly string[]) {
  const opened: Source[] = [];
  for (const shown of paths) {
    try {
      opened.push(await openSource(resolve(shown), shown, process.stdin));
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      opened.push({
        name: shown,
        entries: [],
        refused: [{ path: shown, reason: error.message }],
        close: async () => undefined,
      });
    }
  }
  return opened;
}

/** So many left-out messages are listed where nothing else is requested. */
const SHOWN_LEFT_OUT = 20;

interface RequestOptions {
  readonly sources: readonly Source[];
  readonly signal: AbortSignal;
  readonly rereadSince: string | undefined;
}

function toRequest(options: ImportOptions, { sources, signal, rereadSince }: RequestOptions): ImportRequest {
  const { me, speakers, format, since, until, timezone, dayOrder, date, transcriptId, retryFailed, reread } = options;
  return {
    sources,
    userId: options.user,
    forceSave: options.force,
    transcriptId,
    retryFailed,
    reread,
    rereadSince,
    leftOut: { from: 0, count: options.leftOut ?? SHOWN_LEFT_OUT },
    read: { me, speakers, format, since, until, timezone, dayOrder, date, signal },
  };
}

function refuseOneNameForMany({ transcriptId }: ImportRequest, { previews }: Plan): void {
  const count = previews.reduce((sum, { conversations }) => sum + conversations, 0);
  if (transcriptId === undefined || count <= 1) return;
  throw new ContextloomError('invalid', `there are ${count} conversations, and --transcript-id names one`, {
    field: 'transcript-id',
  });
}

const isOnTerminal = (): boolean => process.stdin.isTTY === true && process.stderr.isTTY === true;

/** Asks on a terminal what the command line leaves open; undefined when the answer is no. */
async function settle(request: ImportRequest, plan: Plan, yes: boolean): Promise<ImportRequest | undefined> {
  const { me = [] } = request.read;
  const found = request.userId === undefined ? undefined : findCandidates(plan.previews);
  const names = found === undefined ? undefined : sortByLikeness(found, me);
  if (yes || !isOnTerminal()) {
    refuseUnknownMe(me, plan.previews);
    if (names !== undefined) warn('Nobody in it is taken for the user: --me NAME says who is.');
    return request;
  }
  const terminal = { input: process.stdin, output: process.stderr, signal: request.read.signal };
  if (names !== undefined && me.length > 0) warn(`Nobody in it is called "${me.join('" or "')}".`);
  const name = names === undefined ? undefined : await askWhoIsMe(names, terminal);
  const read = names === undefined ? request.read : { ...request.read, me: name === undefined ? [] : [name] };
  if (name !== undefined) refuseUnknownName(name, names ?? []);
  return (await confirmImport(terminal)) ? { ...request, read } : undefined;
}

function refuseUnknownName(name: string, names: readonly string[]): void {
  if (names.includes(name)) return;
  throw new ContextloomError('invalid', `nobody in it is called "${name}"`, { field: 'me' });
}

/** Keeps what the sources hold, while no other process works on the same import. */
async function keepAll(given: ImportRequest, { previews, digests }: Plan, service: Importer): Promise<ImportsOutcome> {
  const releases: (() => Promise<void>)[] = [];
  const stopping = new AbortController();
  const request = { ...given, read: { ...given.read, signal: AbortSignal.any([given.read.signal, stopping.signal]) } };
  let done = 0;
  const total = previews.reduce((sum, { turns }) => sum + turns, 0);
  const begin = async (userId: string): Promise<string> => {
    const id = toImportId(digests, { ...given, userId });
    const holder = { onStop: () => stopping.abort(), progress: () => ({ done, total }) };
    releases.push(await service.locks.take(id, holder));
    return id;
  };
  const { stderr } = process;
  const now = (): number => performance.now();
  const progress = createImportProgress({ stream: stderr, isTerminal: stderr.isTTY === true, total, now });
  const onProgress = (turns: number): void => {
    done = turns;
    progress.update(turns);
  };
  const deps = { ...service, onProgress };
  const { userId, ...rest } = request;
  try {
    if (userId === undefined) return await runImports(begin, { ...rest, userId }, deps);
    const { id, ...outcome } = await runImport(await begin(userId), { ...rest, userId }, deps);
    return { imports: [{ id, userId }], ...outcome };
  } finally {
    progress.end();
    for (const release of releases) await release();
  }
}

/** Who rated what was saved, the rules as well where the model could not be reached, and where the price is from. */
function toReader({ usage, failed }: ImportsOutcome, { processor }: Importer) {
  const { extractor, spent } = processor;
  const isByRules = extractor.kind === 'rules' || (usage.calls === 0 && failed > 0);
  return {
    ratedBy: isByRules ? 'written rules' : `the model ${extractor.name}`,
    priceBasis: processor.price(spent).basis,
  };
}

/** What an import came to, for a program. */
function toAnswer(outcome: ImportsOutcome, { processor }: Importer) {
  const { imports, isStopped, corrected, knownPieces, notSaved, failedPieces, ...rest } = outcome;
  return {
    ...(imports.length === 1 && { id: imports[0]?.id }),
    imports: imports.map(({ id, userId }) => ({ id, user_id: userId })),
    ...rest,
    kept_as_corrected: corrected,
    known_pieces: knownPieces,
    not_saved: notSaved,
    failed_pieces: failedPieces,
    extractor: processor.extractor,
    stopped: isStopped,
  };
}

async function importAll(
  options: ImportOptions,
  json: boolean,
  service: Importer,
  budget: ReturnType<typeof createBudget>,
): Promise<boolean> {
  const signal = budget.signal;
  const sources = await openSources(options.paths);
  try {
    const readAgain = (dryRun: boolean) => beginRereading({ ...options, userId: options.user, dryRun }, service);
    const first = toRequest(options, { sources, signal, rereadSince: (await readAgain(true)).since });
    const plan = await planImport(first, service);
    const { digests, ...shown } = plan;
    if (!json) print(renderPlan(plan, width));
    if (options.dryRun) refuseUnknownMe(options.me, plan.previews);
    refuseOneNameForMany(first, plan);
    const turns = plan.previews.reduce((sum, preview) => sum + preview.turns, 0);
    const isEmpty = turns === 0 && plan.previews.every(({ graph }) => graph === undefined);
    const isClean = plan.previews.every(({ fault_count: faults }) => faults === 0);
    if (options.dryRun || isEmpty) {
      if (json) printJson({ success: !isEmpty && isClean, dry_run: options.dryRun, ...shown });
      else print(isEmpty ? 'There is nothing to import.' : '\nNothing was sent or saved.');
      return !isEmpty && isClean;
    }
    const request = await settle(first, plan, options.yes || json);
    if (request === undefined) {
      print('Nothing was saved.');
      return true;
    }
    await service.connect();
    const rereading = await readAgain(false);
    if (rereading.isResumed) warn(toResumedLine(rereading));
    const outcome = await keepAll({ ...request, rereadSince: rereading.since }, plan, service);
    const failures = (await Promise.all(outcome.imports.map(({ id }) => service.journal.failures(id)))).flat();
    if (!outcome.isStopped && !failures.some(({ retryable }) => retryable)) await rereading.end();
    const success = isClean && !outcome.isStopped && failures.length === 0;
    if (json) printJson({ success, dry_run: false, ...shown, import: { ...toAnswer(outcome, service), failures } });
    else print(`\n${renderOutcome(outcome, toReader(outcome, service), width)}`);
    for (const { title, reason } of failures.slice(0, 20)) warn(`failed: ${title}: ${reason}`);
    return success;
  } finally {
    for (const source of sources) await source.close();
  }
}

async function listImports(journal: Journal, json: boolean): Promise<void> {
  const listed = await journal.list();
  const imports = await Promise.all(listed.map(async (one) => ({ ...one, failures: await journal.failures(one.id) })));
  if (!json) return void print(renderImports(imports, width));
  printJson({
    imports: imports.map(({ userId, startedAt, endedAt, ...rest }) => ({
      ...rest,
      user_id: userId,
      started_at: startedAt,
      ended_at: endedAt,
    })),
  });
}

async function run(commandLine: ImportCommand): Promise<boolean> {
  let onUsage = (_spent: Usage): void => undefined;
  const service = await openImporter(commandLine.config, (spent) => onUsage(spent));
  try {
    if (commandLine.command === 'import') {
      const price = (usage: Usage) => service.processor.price(usage);
      const budget = createBudget(commandLine.options.budget, price, untilInterrupt(process, warn));
      onUsage = budget.onUsage;
      const isDone = await importAll(commandLine.options, commandLine.json, service, budget);
      if (budget.reached() !== undefined) warn(`ended by ${budget.reached()}; the same command again goes on`);
      return isDone;
    }
    if (commandLine.command === 'imports') await listImports(service.journal, commandLine.json);
    else {
      await service.locks.stop(commandLine.id);
      const release = await service.locks.take(commandLine.id, {
        onStop: () => undefined,
        progress: () => ({ done: 0, total: 0 }),
      });
      const undone = await undoImport(commandLine.id, { ...service, clock }).finally(release);
      if (commandLine.json) printJson({ success: true, ...undone });
      else print(renderUndone(undone, width));
    }
    return true;
  } catch (error) {
    // What a run has requested is paid for, whatever ends it.
    const spent = toSpentLine(service.processor);
    if (spent !== undefined) warn(spent);
    throw error;
  } finally {
    await service.close();
  }
}

function fail(error: unknown, json: boolean): void {
  if (!isContextloomError(error)) throw error;
  const { code, message, field } = error;
  if (json) printJson({ success: false, error: { code, message, ...(field !== undefined && { field }) } });
  warn(`contextloom: ${message}`);
  process.exitCode = code === 'invalid' ? 2 : 1;
}

ignoreBrokenPipe(process);
const commandLine = parseImportOptions(process.argv, version, {
  writeOut: (text) => process.stdout.write(text),
  writeErr: (text) => process.stderr.write(text),
});
if (typeof commandLine === 'number') process.exitCode = commandLine;
else {
  try {
    process.exitCode = (await run(commandLine)) ? 0 : 1;
  } catch (error) {
    fail(error, commandLine.json);
  }
}
