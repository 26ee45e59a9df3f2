import { type Command, Option } from 'commander';
import { loadComposition } from '../composition/composition.ts';
import { runOwnProgram } from '../composition/run-program.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { lookAtStores, renderStores } from '../doctor/stores.ts';
import { endAsFailed } from '../exit-codes.ts';
import { readGlobals, refuseUrl } from '../options.ts';
import { outputLook, printJson, printLines } from '../output/print.ts';

/** What the engines of documents are called here, and in the knowledge base. */
const ENGINES = { sqlite: 'embedded', postgres: 'postgres', chroma: 'chroma' } as const;

type Engine = keyof typeof ENGINES;

const HELP = `
Without --from and --to, the tables of every store are brought up to date, as each server does at its start; one process at a time does it.
--check changes nothing and ends with code 1 where a migration is outstanding, or where a store cannot be used. A file that is not there yet is
made when something is stored. A Chroma server has no tables of ours.

Documents, personal and project memory are copied: what arrives is read back and compared; a run that was interrupted goes on when it is run again, and what is written meanwhile is copied too.
DATABASE_URL names the Postgres database, CHROMA_URL the Chroma server, KB_DATA_DIR the folder of the SQLite file; personal and project memory have no Chroma.

Examples:
  $ contextloom migrate --check                        see whether an update has something to migrate
  $ contextloom migrate                                migrate before the servers are started, as a job of a deployment
  $ contextloom migrate --from sqlite --to postgres
  $ contextloom migrate --from postgres --to sqlite    then take DATABASE_URL out of the settings, or set KB_STORE=embedded`;

const engineOption = (flags: string, description: string): Option =>
  new Option(flags, description).choices(Object.keys(ENGINES));

interface MigrateOptions {
  readonly check: boolean;
  readonly from?: Engine;
  readonly to?: Engine;
  readonly only?: 'documents' | keyof typeof MEMORIES;
}

/** What has no Chroma, by the names of --only; a composition may do without. */
const MEMORIES = {
  personal: { service: 'personal-memory', server: 'personal-memory' },
  project: { service: 'project-memory', server: 'agent-mem' },
} as const;

async function moveMemory(
  memory: keyof typeof MEMORIES,
  { from, to }: { readonly from: Engine; readonly to: Engine },
  context: CliContext,
  globals: GlobalOptions,
): Promise<void> {
  const { servers } = await loadComposition(context, globals);
  const named = MEMORIES[memory];
  if ([from, to].includes('chroma') || from === to || servers[named.server] === undefined) return;
  const toWords = (_file: string, own: readonly string[]) => [...own, '--migrate', to];
  await runOwnProgram({ ...named, name: 'server.js', toWords }, context, globals);
}

/** Adds `migrate`: brings stores up to date, tells how far they are, or copies documents, personal and project memory from one engine to another. */
export function registerMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description(
      'bring the tables of all stores up to date, or copy documents, personal and project memory from one engine to another',
    )
    .addOption(engineOption('--from <engine>', 'where documents and memories of all users are'))
    .addOption(engineOption('--to <engine>', 'where they go'))
    .addOption(
      new Option('--only <store>', 'what is copied; all of it without').choices(['documents', 'personal', 'project']),
    )
    .option('--check', 'tell how far every store is, and change nothing', false)
    .addHelpText('after', HELP)
    .action(async ({ check, from, to, only }: MigrateOptions, command: Command) => {
      refuseUrl(command);
      const globals = readGlobals(command);
      if (from !== undefined && to !== undefined && !check) {
        for (const memory of ['personal', 'project'] as const) {
          if (only === undefined || only === memory) await moveMemory(memory, { from, to }, context, globals);
        }
        if (only !== undefined && only !== 'documents') return;
        const toWords = () => ['--from', ENGINES[from], '--to', ENGINES[to]];
        return runOwnProgram({ service: 'knowledge-base', name: 'migrate.js', toWords }, context, globals);
      }
      if (check && (from !== undefined || to !== undefined)) {
        command.error('error: --check looks at every store, and takes neither --from nor --to');
      }
      if (from !== undefined || to !== undefined) command.error('error: --from and --to belong together');
      const report = await lookAtStores(check ? 'check' : 'migrate', context, globals);
      if (globals.json) printJson(context, report);
      else printLines(context, renderStores(report, outputLook(context)));
      if (!report.success) endAsFailed();
    });
}
