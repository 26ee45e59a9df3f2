import { rm } from 'node:fs/promises';
import { ContextloomError } from '@contextloom/contracts';
import type { CliContext } from '../context.ts';
import { isHookClient, specOf } from '../hooks/clients.ts';
import type { Machine } from '../machine.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import type { McpClient } from './clients.ts';
import { toDifference } from './difference.ts';
import { findChanged, isReadable, type Undone, undo, type WrittenPart } from './undo.ts';
import { changeFile, readCopies, readIfThere, SERVER_NAME } from './write-client.ts';
import { findForeign, parseSettings, toHooksPart, toServerPart } from './written-parts.ts';

/** A file of a client, and what `init` writes into it. */
interface Target {
  readonly file: string;
  readonly format: McpClient['format'];
  readonly server?: WrittenPart;
  readonly hooks?: WrittenPart;
}

/** What becomes of a file. */
interface Plan extends Target {
  readonly before: string;
  readonly after: string | undefined;
  /** What others wrote, and what stays. */
  readonly kept: readonly string[];
  /** Does the same in a text that may have changed meanwhile. */
  readonly toNext: (text: string) => string | undefined;
}

function toTargets(client: McpClient, machine: Machine): readonly Target[] {
  const file = client.toFile(machine);
  const server = file === undefined ? [] : [{ file, format: client.format, server: toServerPart(client, file) }];
  if (!isHookClient(client.id)) return server;
  const spec = specOf(client.id);
  const place = spec.toFile(machine);
  const hooks = { file: place, format: 'json', hooks: toHooksPart(spec, place) } as const;
  return place === file ? server.map((one) => ({ ...one, ...hooks })) : [...server, hooks];
}

/** What stays of others in a file that is not what it was: what differs from the latest copy without anything of this program. */
function findKept({ file, format, ...parts }: Target, copies: readonly string[], { text = '' }: Undone) {
  const isFree = (copy: string): boolean => !parts.server?.isIn(copy) && !parts.hooks?.isIn(copy);
  const before = parseSettings(copies.find(isFree) ?? '', { format }, file);
  return findChanged(before, parseSettings(text, { format }, file));
}

async function plan(target: Target, client: McpClient): Promise<Plan | undefined> {
  const { file, server, hooks } = target;
  const before = await readIfThere(file);
  if (before === undefined) return undefined;
  const written = [hooks, server].filter((part) => part !== undefined);
  const copies = (await readCopies(file)).filter((copy) => isReadable(copy, written));
  const foreign = (server && findForeign(before, client, file)) ?? [];
  const parts = written.filter((part) => part !== server || foreign.length === 0);
  const undone = undo(before, parts, copies);
  const own = `${client.section}.${SERVER_NAME}`;
  const stays = foreign.map((key) => `${own}, since ${key} is not what init wrote`);
  const changed = undone.isExact || undone.text === undefined ? [] : findKept(target, copies, undone);
  return {
    ...target,
    before,
    after: undone.text,
    kept: [...stays, ...changed.filter((key) => key !== own)],
    toNext: (text) => undo(text, parts, copies).text,
  };
}

/** Changes a file, and answers where a copy is kept; one that `init` made is removed. */
async function write({ file, after, toNext }: Plan): Promise<string | undefined> {
  if (after !== undefined) return changeFile(file, (text = '') => toNext(text) ?? text);
  await rm(file);
  return undefined;
}

interface Outcome extends Plan {
  readonly isChanged: boolean;
  readonly written: boolean;
  readonly copy: string | undefined;
}

/** Claude Code keeps in its file what it counts, too: that would be a long list. */
const MOST_TOLD = 12;

function describe({ file, before, after, kept, isChanged, written, copy }: Outcome, context: CliContext) {
  const { style } = outputLook(context);
  const [would, did] = after === undefined ? ['would be removed', 'was removed'] : ['would change', 'was changed'];
  return [
    ...(isChanged ? toDifference(before, after ?? '') : []),
    isChanged ? style.strong(`${file} ${written ? did : would}.`) : `${file}: nothing was changed.`,
    ...(copy === undefined ? [] : [`What it was is kept in ${copy}.`]),
    ...(kept.length === 0 ? [] : ['Written by others, and left as it is:']),
    ...kept.slice(0, MOST_TOLD).map((one) => `  ${one}`),
    ...(kept.length > MOST_TOLD ? [`  and ${kept.length - MOST_TOLD} more, which --json lists`] : []),
  ];
}

/** Takes the server and the hooks of a client out of its files; without `yes` it tells what would be done. */
export async function initRemove(
  { client, yes }: { readonly client: McpClient; readonly yes: boolean },
  context: CliContext,
  isJson: boolean,
): Promise<void> {
  const { machine } = context;
  if (machine === undefined) throw new ContextloomError('invalid', 'the home folder is not known: set HOME');
  const targets = toTargets(client, machine);
  if (targets.length === 0) {
    throw new ContextloomError('invalid', `${client.title} keeps its servers itself: remove it there`);
  }
  // All are read before the first is changed: one that cannot be read stops it.
  const plans = (await Promise.all(targets.map((target) => plan(target, client)))).filter((one) => one !== undefined);
  const outcomes: Outcome[] = [];
  for (const one of plans) {
    const isChanged = one.after !== one.before;
    const written = isChanged && yes;
    outcomes.push({ ...one, isChanged, written, copy: written ? await write(one) : undefined });
  }
  if (isJson) return printJson(context, toReport(client, outcomes));
  const isAny = outcomes.some(({ isChanged }) => isChanged);
  const advice = yes ? `Start ${client.title} again.` : 'Nothing was changed yet: --yes does it.';
  const result = outcomes.flatMap((outcome) => describe(outcome, context));
  const none = result.length === 0 ? [`${client.title} has nothing that init wrote.`] : result;
  printLines(context, isAny ? [...result, '', advice] : none);
}

const toReport = ({ id }: McpClient, outcomes: readonly Outcome[]) => ({
  success: true,
  client: id,
  files: outcomes.map(({ file, after, kept, isChanged, written, copy }) => ({
    file,
    change: !isChanged ? 'none' : after === undefined ? 'removed' : 'changed',
    written,
    copy: copy ?? null,
    kept,
  })),
});
