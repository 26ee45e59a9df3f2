import { type Command, Option } from 'commander';
import { runOwnProgram } from '../composition/run-program.ts';
import type { CliContext } from '../context.ts';
import { readGlobals, refuseUrl } from '../options.ts';

/** What the engines of documents are called here, and in the knowledge base. */
const ENGINES = { sqlite: 'embedded', postgres: 'postgres', chroma: 'chroma' } as const;

type Engine = keyof typeof ENGINES;

const HELP = `
What is copied is read back and compared; a run that was interrupted goes on when it is run again, and what is written meanwhile is copied too.
DATABASE_URL names the Postgres database, CHROMA_URL the Chroma server, KB_DATA_DIR the folder of the SQLite file.

Examples:
  $ contextloom migrate --from sqlite --to postgres
  $ contextloom migrate --from postgres --to sqlite    then take DATABASE_URL out of the settings, or set KB_STORE=embedded`;

const engineOption = (flags: string, description: string): Option =>
  new Option(flags, description).choices(Object.keys(ENGINES)).makeOptionMandatory();

/** Adds `migrate`: copies the documents of the knowledge base from one engine to another. */
export function registerMigrate(program: Command, context: CliContext): void {
  program
    .command('migrate')
    .description('copy the documents of the knowledge base, of all users, from one engine to another')
    .addOption(engineOption('--from <engine>', 'where they are'))
    .addOption(engineOption('--to <engine>', 'where they go'))
    .addHelpText('after', HELP)
    .action(async ({ from, to }: { readonly from: Engine; readonly to: Engine }, command: Command) => {
      refuseUrl(command);
      const toWords = () => ['--from', ENGINES[from], '--to', ENGINES[to]];
      await runOwnProgram({ service: 'knowledge-base', name: 'migrate.js', toWords }, context, readGlobals(command));
    });
}
