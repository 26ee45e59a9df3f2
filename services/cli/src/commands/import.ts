import { resolve } from 'node:path';
import type { Command } from 'commander';
import { isArchive } from '../archive/read-archive.ts';
import type { CliContext } from '../context.ts';
import { runImporter } from '../conversations/memory-processor.ts';
import { readGlobals, refuseUrl, toUserId } from '../options.ts';
import { importArchive } from './archive.ts';

const EXAMPLES = `
Examples:
  $ contextloom import chat.txt --user ann --dry-run         see what is in it, saving nothing
  $ contextloom import chatgpt-export.zip --user ann
  $ contextloom import WhatsApp.zip wechat.txt --user ann --me Ann --me 小安
  $ contextloom import notes/ --user ann --since 2024-01-01 --timezone Europe/Paris
  $ contextloom import ann.zip --user ann                    an archive of "contextloom export"
  $ contextloom imports                                      what was imported, and what failed
  $ contextloom imports undo 43c26368ad68                    take one back`;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds `import`: exports of years of conversations become memories, read by the memory processor itself. */
export function registerImport(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('bring in conversations from exports of chat programs and assistants')
    .argument('<path...>', 'files, folders, ZIP archives, or - for standard input')
    .option('--user <id>', 'whose memories they become', toUserId)
    .option('--user-from-transcript', "the user of each conversation is the conversation's own id")
    .option('--me <name>', 'the name of the user in the chat; may be given again', collect)
    .option('--speaker-map <from=to>', 'another name for a speaker; may be given again', collect)
    .option('--format <name>', 'the format, instead of the one that is found')
    .option('--since <date>', 'only what was said from then on')
    .option('--until <date>', 'only what was said before')
    .option('--timezone <zone>', 'the zone of times without one, such as Asia/Shanghai')
    .option('--date-order <order>', 'the order of day, month and year: dmy, mdy or ymd')
    .option('--date <date>', 'when it took place, for turns without a time')
    .option('--transcript-id <id>', 'name of the conversation; a longer version under the same name replaces it')
    .option('--retry-failed', 'read those pieces again from which no facts could be drawn')
    .option('--reread', 'read all pieces again, as after another model or prompt was chosen')
    .option('--max-tokens <count>', 'end the run once the model was asked with so many tokens, its answers included')
    .option('--max-cost <usd>', 'end the run once it cost so many US dollars')
    .option('--force', 'keep facts of low importance too')
    .option('--dry-run', 'only show what is in it, and what a model would cost')
    .option('--left-out <count>', 'how many of the messages that are left out are listed, 20 without it')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], options: Readonly<Record<string, unknown>>, command: Command) => {
      const user = options['user'];
      if ((user === undefined) === (options['userFromTranscript'] === undefined)) {
        command.error("error: required option '--user <id>' or --user-from-transcript: give one of them");
      }
      const [path = ''] = paths;
      if (paths.length === 1 && (await isArchive(resolve(context.cwd, path)))) {
        if (user === undefined) command.error('error: an archive takes --user <id>');
        await importArchive(path, { user: toUserId(String(user)) }, { context, command });
        return;
      }
      refuseUrl(command);
      await runImporter(['import', ...paths, ...toWords(options)], context, readGlobals(command));
    });
}

/** Adds `imports`: what was imported, and taking one of them back. */
export function registerImports(program: Command, context: CliContext): void {
  const imports = program
    .command('imports')
    .description('list what was imported and what failed, or take an import back')
    .action(async (_options: unknown, command: Command) => {
      refuseUrl(command);
      await runImporter(['imports'], context, readGlobals(command));
    });
  imports
    .command('undo')
    .description('take an import back, with all that came of it')
    .argument('<id>', 'the import, as "contextloom imports" lists it')
    .action(async (id: string, _options: unknown, command: Command) => {
      refuseUrl(command);
      await runImporter(['imports', 'undo', id], context, readGlobals(command));
    });
}

/** The options of the command as words for the importer, which has the same ones. */
function toWords(options: Readonly<Record<string, unknown>>): readonly string[] {
  return Object.entries(options).flatMap(([key, value]) => {
    const flag = `--${key.replace(/[A-Z]/gu, (letter) => `-${letter.toLowerCase()}`)}`;
    if (value === true) return [flag];
    return (Array.isArray(value) ? value : [value]).flatMap((one: unknown) =>
      typeof one === 'string' ? [`${flag}=${one}`] : [],
    );
  });
}
