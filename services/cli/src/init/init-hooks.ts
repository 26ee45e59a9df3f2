import { join } from 'node:path';
import { ContextloomError } from '@contextloom/contracts';
import { installationRoot } from '@contextloom/mcp-client';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { checkServer } from '../doctor/check-server.ts';
import { endAsFailed } from '../exit-codes.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { clients, type Machine } from './clients.ts';
import { toDifference } from './difference.ts';
import { withHooks, withoutHooks } from './hook-entries.ts';
import { toCommandLine } from './launch.ts';
import { changeFile, readIfThere } from './write-client.ts';

/** What `init` is told about hooks. */
interface HookChoice {
  readonly client?: string;
  readonly removeHooks: boolean;
  readonly print: boolean;
}

interface HookTarget {
  readonly id: string;
  readonly title: string;
  readonly file: string;
}

const able = clients.filter(({ toHooksFile }) => toHooksFile !== undefined);
const names = able.map(({ id }) => id).join(', ');

async function chooseTarget({ client }: HookChoice, { ask }: CliContext, machine: Machine): Promise<HookTarget> {
  if (client === undefined && ask === undefined) {
    throw new ContextloomError('invalid', 'there is no terminal to ask on: give --client', { field: '--client' });
  }
  const lines = able.map(({ title }, at) => `  ${at + 1}  ${title}`);
  const answer = client ?? (await ask?.(`Which client?\n${lines.join('\n')}\n> `))?.trim();
  const found = able.find(({ id, title }, at) => [id, title, String(at + 1)].includes(answer ?? ''));
  if (found?.toHooksFile === undefined) {
    const message = `hooks are known of these clients alone: ${names}`;
    throw new ContextloomError('invalid', message, { field: '--client' });
  }
  return { id: found.id, title: found.title, file: found.toHooksFile(machine) };
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

/** What else a client wants before it runs hooks. */
const advice: Readonly<Record<string, string>> = {
  codex: 'Codex asks you to trust new hooks: type /hooks there.',
};

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
  const { id, title, file, before = '', after = before, written, copy, problem } = outcome;
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
    ...(removeHooks || advice[id] === undefined ? [] : [advice[id]]),
    `Start ${title} again.`,
  ];
}

/** Writes the hooks of a client, or takes them out; hooks of others stay. */
export async function initHooks(choice: HookChoice, context: CliContext, globals: GlobalOptions): Promise<void> {
  const { machine, execPath } = context;
  if (machine === undefined) throw new ContextloomError('invalid', 'the home folder is not known: set HOME');
  const target = await chooseTarget(choice, context, machine);
  const { id, file } = target;
  const bin = join(installationRoot, 'services', 'cli', 'bin', 'contextloom.js');
  const installation = { platform: machine.platform, execPath, root: installationRoot, bin };
  const config = globals.config === undefined ? [] : ['--config', (await loadComposition(context, globals)).file];
  const toCommand = (hook: string): string => toCommandLine(['hook', hook, '--client', id, ...config], installation);
  const toNext = (text: string | undefined): string =>
    choice.removeHooks ? withoutHooks(text ?? '{}\n', file) : withHooks(text, toCommand, file);
  const before = await readIfThere(file);
  const after = before === undefined && choice.removeHooks ? undefined : toNext(before);
  const isWanted = !choice.removeHooks && !choice.print;
  const problem = isWanted ? await findProblem(context, globals) : undefined;
  const written = after !== before && !choice.print && problem === undefined;
  const copy = written ? await changeFile(file, toNext) : undefined;
  if (globals.json) {
    const told = { copy: copy ?? null, problem: problem ?? null };
    printJson(context, { success: problem === undefined, client: id, file, written, ...told });
  } else printLines(context, describeOutcome({ ...target, before, after, written, copy, problem }, choice, context));
  if (problem !== undefined) endAsFailed();
}
