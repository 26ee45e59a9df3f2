import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { checkServer } from '../doctor/check-server.ts';
import { endAsFailed } from '../exit-codes.ts';
import {
  EACH_QUESTION,
  type HookClient,
  type HookClientSpec,
  type HookEvent,
  hookClientIds,
  specOf,
} from '../hooks/clients.ts';
import type { Machine } from '../machine.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { toDifference } from './difference.ts';
import { withHooks, withoutHooks } from './hook-entries.ts';
import { toCommandLine } from './launch.ts';
import { changeFile, readIfThere } from './write-client.ts';
import { toHooksPart } from './written-parts.ts';

/** The options of `init` about hooks. */
interface HookChoice {
  readonly client?: string;
  readonly removeHooks: boolean;
  /** Whether each question is answered from memory too. */
  readonly eachQuestion?: boolean;
  readonly print: boolean;
}

interface HookTarget {
  readonly id: HookClient;
  readonly spec: HookClientSpec;
  readonly file: string;
}

const names = hookClientIds.join(', ');

async function chooseTarget({ client }: HookChoice, { ask }: CliContext, machine: Machine): Promise<HookTarget> {
  if (client === undefined && ask === undefined) {
    throw new ContextloomError('invalid', 'there is no terminal to ask on: give --client', { field: '--client' });
  }
  const lines = hookClientIds.map((id, at) => `  ${at + 1}  ${specOf(id).title}`);
  const answer = client ?? (await ask?.(`Which client?\n${lines.join('\n')}\n> `))?.trim();
  const id = hookClientIds.find((one, at) => [one, specOf(one).title, String(at + 1)].includes(answer ?? ''));
  if (id === undefined) {
    const message = `hooks are known of these clients alone: ${names}`;
    throw new ContextloomError('invalid', message, { field: '--client' });
  }
  const spec = specOf(id);
  return { id, spec, file: spec.toFile(machine) };
}

/** Why nothing would be remembered: what the check of project memory found; undefined where it works. */
async function findProblem(context: CliContext, globals: GlobalOptions): Promise<string | undefined> {
  const { servers, file } = await loadComposition(context, globals);
  const missing = ['agent-mem', 'memory-processor'].find((name) => servers[name] === undefined);
  const entry = servers['agent-mem'];
  if (missing !== undefined || entry === undefined) return `${file} has no server "${missing}"`;
  const report = await checkServer(entry, { signal: context.signal, timeoutMs: CHECK_TIMEOUT_MS });
  if (report.kind !== 'own') return undefined;
  return report.checks.find(({ status }) => status === 'failed')?.detail;
}

/** Project memory takes over a folder of an earlier version first. */
const CHECK_TIMEOUT_MS = 150_000;

/** What became of the file of a client's hooks. */
interface Outcome extends HookTarget {
  readonly before: string | undefined;
  /** Undefined where there is nothing to take out of. */
  readonly after: string | undefined;
  readonly written: boolean;
  readonly copy: string | undefined;
  readonly problem: string | undefined;
}

function describeOutcome(outcome: Outcome, { removeHooks, print }: HookChoice, context: CliContext): readonly string[] {
  const { spec, file, before = '', after = before, written, copy, problem } = outcome;
  if (print) return [after.trimEnd()];
  const known = removeHooks ? 'has none of these hooks' : 'has them already';
  if (problem !== undefined) {
    return [
      `Nothing was written to ${file}. Project memory does not work yet, so nothing would be remembered: ${problem}`,
    ];
  }
  if (!written) return [`${file} ${known}; nothing was changed.`];
  return [
    ...toDifference(before, after),
    '',
    outputLook(context).style.strong(`Written to ${file}.`),
    ...(copy === undefined ? [] : [`What it was is kept in ${copy}.`]),
    ...(removeHooks || spec.advice === undefined ? [] : [spec.advice]),
    `Start ${spec.title} again.`,
  ];
}

/** Changes the file; one that was for these hooks alone goes when nothing is left in it. */
async function write(
  { spec, file }: HookTarget,
  toNext: (text: string | undefined) => string,
  after: string | undefined,
): Promise<string | undefined> {
  const isEmpty = spec.isOwnFile && toHooksPart(spec, file).isBare(after ?? '');
  if (!isEmpty) return changeFile(file, toNext);
  await rm(file);
  return undefined;
}

/** Writes the hooks of a client, or takes them out; hooks of others stay. */
export async function initHooks(choice: HookChoice, context: CliContext, globals: GlobalOptions): Promise<void> {
  const { machine, execPath } = context;
  if (machine === undefined) throw new ContextloomError('invalid', 'the home folder is not known: set HOME');
  const target = await chooseTarget(choice, context, machine);
  const { id, spec, file } = target;
  const isAsked = choice.eachQuestion === true;
  if (isAsked && spec.events[EACH_QUESTION] === undefined) {
    const takers = hookClientIds.filter((one) => specOf(one).events[EACH_QUESTION] !== undefined).join(', ');
    const message = `${spec.title} takes nothing from a hook at a question; these do: ${takers}`;
    throw new ContextloomError('invalid', message, { field: '--each-question' });
  }
  const bin = join(installationRoot, 'services', 'cli', 'bin', 'contextloom.js');
  const installation = { platform: machine.platform, execPath, root: installationRoot, bin };
  const config = globals.config === undefined ? [] : ['--config', (await loadComposition(context, globals)).file];
  const toEntry = (hook: HookEvent): object | undefined => {
    if (hook === EACH_QUESTION && !isAsked) return undefined;
    const args = ['hook', hook, '--client', id, ...config];
    return spec.toEntry(toCommandLine(args, installation, spec.toShell(machine.platform)), machine.platform, hook);
  };
  const toNext = (text: string | undefined): string =>
    choice.removeHooks ? withoutHooks(text ?? '', spec, file) : withHooks(text, { form: spec, toEntry }, file);
  const before = await readIfThere(file);
  const after = before === undefined && choice.removeHooks ? undefined : toNext(before);
  const isWanted = !choice.removeHooks && !choice.print;
  const problem = isWanted ? await findProblem(context, globals) : undefined;
  const written = after !== before && !choice.print && problem === undefined;
  const copy = written ? await write(target, toNext, after) : undefined;
  if (globals.json) {
    const result = { copy: copy ?? null, problem: problem ?? null };
    printJson(context, { success: problem === undefined, client: id, file, written, ...result });
  } else printLines(context, describeOutcome({ ...target, before, after, written, copy, problem }, choice, context));
  if (problem !== undefined) endAsFailed();
}
