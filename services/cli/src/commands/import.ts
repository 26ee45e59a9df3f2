import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import type { Command } from 'commander';
import { loadComposition } from '../composition.ts';
import type { CliContext, GlobalOptions } from '../context.ts';
import { endAsFailed } from '../exit-codes.ts';
import { entryFile } from '../installation.ts';
import { readGlobals, refuseUrl, toUserId } from '../options.ts';

const EXAMPLES = `
Examples:
  $ contextloom import chat.txt --user ann --dry-run         see what is in it, saving nothing
  $ contextloom import chatgpt-export.zip --user ann
  $ contextloom import WhatsApp.zip wechat.txt --user ann --me Ann --me 小安
  $ contextloom import notes/ --user ann --since 2024-01-01 --timezone Europe/Paris
  $ contextloom imports                                      what was imported, and what failed
  $ contextloom imports undo 43c26368ad68                    take one back`;

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds `import`: exports of years of conversations become memories, read by the memory processor itself. */
export function registerImport(program: Command, context: CliContext): void {
  program
    .command('import')
    .description('bring in conversations from exports of chat programs and assistants')
    .argument('<path...>', 'files, folders, ZIP archives, or - for standard input')
    .requiredOption('--user <id>', 'whose memories they become', toUserId)
    .option('--me <name>', 'the name of the user in the chat; may be given again', collect)
    .option('--speaker-map <from=to>', 'another name for a speaker; may be given again', collect)
    .option('--format <name>', 'the format, instead of the one that is found')
    .option('--since <date>', 'only what was said from then on')
    .option('--until <date>', 'only what was said before')
    .option('--timezone <zone>', 'the zone of times without one, such as Asia/Shanghai')
    .option('--date-order <order>', 'the order of day, month and year: dmy, mdy or ymd')
    .option('--date <date>', 'when it took place, for turns without a time')
    .option('--force', 'keep facts of low importance too')
    .option('--dry-run', 'only show what is in it, and what a model would cost')
    .option('--yes', 'do not ask')
    .addHelpText('after', EXAMPLES)
    .action(async (paths: readonly string[], options: Readonly<Record<string, unknown>>, command: Command) => {
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

/** Files stay where they are: the importer reads them itself, with the settings that the composition gives the memory processor. */
async function runImporter(words: readonly string[], context: CliContext, globals: GlobalOptions): Promise<void> {
  const { file, env, servers } = await loadComposition(context, globals);
  const entry = servers['memory-processor'];
  const own = entry !== undefined && 'env' in entry ? entry.env : {};
  const isOwn = context.stdout === process.stdout;
  const script = entryFile('memory-processor', 'import.js');
  const args = [script, '--config', file, ...(globals.json ? ['--json'] : []), ...words];
  const child = spawn(context.execPath, args, {
    cwd: context.cwd,
    env: { ...env, ...own, ...(globals.verbose && { LOG_LEVEL: 'info' }), MCP_CONFIG: file },
    stdio: ['inherit', isOwn ? 'inherit' : 'pipe', isOwn ? 'inherit' : 'pipe'],
  });
  child.stdout?.setEncoding('utf8').on('data', (text: string) => context.stdout.write(text));
  child.stderr?.setEncoding('utf8').on('data', (text: string) => context.stderr.write(text));
  // A terminal tells both of Ctrl-C; other signals come to this process alone.
  const stop = (): void => void child.kill('SIGTERM');
  context.signal.addEventListener('abort', stop, { once: true });
  const [code] = await once(child, 'close');
  context.signal.removeEventListener('abort', stop);
  if (code !== 0) endAsFailed();
}
