import { resolve } from 'node:path';
import { LIST_USERS } from '@contextloom/contracts';
import { type Command, Option } from 'commander';
import { type Aggregator, withAggregator } from '../aggregator.ts';
import { exportNotes, NOTE_FORMATS, type NoteFormat } from '../archive/export-notes.ts';
import { exportUsers } from '../archive/export-users.ts';
import { type ImportedStore, importUsers } from '../archive/import-users.ts';
import type { Manifest } from '../archive/manifest.ts';
import type { CliContext } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals, toUserId } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';
import { type Column, renderTable } from '../output/tables/table.ts';
import { toPlainLine } from '../output/text/plain.ts';

const TIMEOUT_MS = 600_000;
const RULES = '\nWhat is in an archive, and what is not, stands in docs/archive.md.';

const EXPORT_EXAMPLES = `
Examples:
  $ contextloom export --user ann --out ann.zip                everything, for another installation
  $ contextloom export --user ann --out notes.zip --format okf Markdown files for Obsidian and other programs
  $ contextloom export --user ann --out ann.txt --format list  a line a memory, as Claude and others take it in
${RULES}`;

interface ExportOptions {
  readonly user: string;
  readonly out: string;
  readonly format?: NoteFormat;
}

/** Where a command runs, and what it was called with. */
interface Call {
  readonly context: CliContext;
  readonly command: Command;
}

/** Adds `export`, `import-archive`, `backup` and `restore`: users leave in one ZIP, and come back from it. */
export function registerArchive(program: Command, context: CliContext): void {
  program
    .command('export')
    .description('write everything that is stored of a user into one ZIP, while the servers go on')
    .requiredOption('--user <id>', 'whom to export', toUserId)
    .requiredOption('--out <file>', 'the ZIP')
    .addOption(new Option('--format <name>', 'memories for other programs instead of all').choices(NOTE_FORMATS))
    .addHelpText('after', EXPORT_EXAMPLES)
    .action(({ user, out, format }: ExportOptions, command: Command) => {
      if (format !== undefined) return writeNotes(out, { user, format }, { context, command });
      return writeArchive(out, [user], { context, command });
    });
  program
    .command('import-archive')
    .alias('import-backup')
    .description('take in what "export" or "backup" wrote; what is there already stays')
    .argument('<file>', 'the ZIP')
    .requiredOption('--user <id>', 'whom to take in', toUserId)
    .addHelpText('after', `\nExample:\n  $ contextloom import-archive ann.zip --user ann\n${RULES}`)
    .action((file: string, { user }: { readonly user: string }, command: Command) =>
      importArchive(file, { user }, { context, command }),
    );
  program
    .command('backup')
    .description('write everything that is stored of all users into one ZIP, while the servers go on')
    .argument('<file>', 'the ZIP')
    .addHelpText('after', `\nExample:\n  $ contextloom backup everybody.zip\n${RULES}`)
    .action((file: string, _options: unknown, command: Command) => writeArchive(file, 'all', { context, command }));
  program
    .command('restore')
    .description('take in all users of what "backup" wrote; what is there already stays')
    .argument('<file>', 'the ZIP')
    .addHelpText('after', `\nExample:\n  $ contextloom restore everybody.zip\n${RULES}`)
    .action((file: string, _options: unknown, command: Command) => importArchive(file, {}, { context, command }));
}

async function writeArchive(out: string, wanted: readonly string[] | 'all', { context, command }: Call): Promise<void> {
  const globals = readGlobals(command);
  const file = resolve(context.cwd, out);
  const manifest = await withAggregator(context, globals, async (aggregator): Promise<Manifest> => {
    if (wanted !== 'all') return exportUsers({ aggregator, users: wanted, file });
    const listed = await aggregator.call(LIST_USERS, {}, { timeoutMs: TIMEOUT_MS });
    const users = listed.users.map(({ user_id }) => user_id);
    const written = await exportUsers({ aggregator, users, file });
    return { ...written, unreached: [...listed.unreached, ...written.unreached] };
  });
  if (globals.json) printJson(context, { file, ...manifest });
  else printManifest(context, file, manifest);
  if (manifest.unreached.length > 0) endAsFailed();
}

async function writeNotes(
  out: string,
  { user, format }: Required<Pick<ExportOptions, 'user' | 'format'>>,
  { context, command }: Call,
): Promise<void> {
  const globals = readGlobals(command);
  const file = resolve(context.cwd, out);
  const work = (aggregator: Aggregator) => exportNotes({ aggregator, user, format, file });
  const written = await withAggregator(context, globals, work, 'all');
  if (globals.json) printJson(context, { file, ...written });
  else {
    printLines(context, [
      ...written.not_asked.map(({ store, reason }) => toPlainLine(`not in it, of ${store}: ${reason}`)),
      `Wrote ${written.memories} memories into ${toPlainLine(file)}. Anybody who has it can read it.`,
    ]);
  }
  if (written.not_asked.length > 0) endAsFailed();
}

const exported: readonly Column[] = [
  { title: 'user', flexible: true },
  { title: 'server', flexible: true },
  { title: 'records', minWidth: 7 },
];

function printManifest(context: CliContext, file: string, { users, unreached }: Manifest): void {
  const rows = users.flatMap(({ user_id, stores }) =>
    stores.map(({ server, records }) => [toPlainLine(user_id), server, String(records)]),
  );
  printLines(context, [
    ...(rows.length === 0 ? ['Nothing is stored.'] : [renderTable(exported, rows, outputLook(context))]),
    ...unreached.map(({ server, what, why }) => toPlainLine(`not in the archive, at ${server}: ${what}: ${why}`)),
    `Wrote ${toPlainLine(file)}. Anybody who has it can read it.`,
  ]);
}

/**
 * Takes an archive in, and prints what came of it.
 * @throws ContextloomError as `importUsers` does
 */
export async function importArchive(
  path: string,
  { user }: { readonly user?: string },
  { context, command }: Call,
): Promise<void> {
  const globals = readGlobals(command);
  const file = resolve(context.cwd, path);
  const imported = await withAggregator(context, globals, (aggregator) =>
    importUsers({ aggregator, file, user, signal: context.signal }),
  );
  if (globals.json) printJson(context, { file, imported });
  else printImported(context, imported);
  if (imported.some(({ refused_count }) => refused_count > 0)) endAsFailed();
}

const taken: readonly Column[] = [
  { title: 'user', flexible: true },
  { title: 'server', flexible: true },
  { title: 'new', minWidth: 3 },
  { title: 'known', minWidth: 5 },
  { title: 'refused', minWidth: 7 },
];

function printImported(context: CliContext, stores: readonly ImportedStore[]): void {
  const rows = stores.map(({ user_id, server, imported, known, refused_count }) => [
    toPlainLine(user_id),
    server,
    String(imported),
    String(known),
    String(refused_count),
  ]);
  printLines(context, [
    ...(rows.length === 0 ? ['The archive is empty.'] : [renderTable(taken, rows, outputLook(context))]),
    ...stores.flatMap(({ server, refused }) =>
      refused.map(({ record, problem }) => toPlainLine(`refused by ${server}: ${record}: ${problem}`)),
    ),
  ]);
}
