import { isTimeZone, userIdSchema } from '@contextloom/contracts';
import { parseMoment, toInstant } from '@contextloom/retrieval/time';
import type { DayOrder } from '@contextloom/transcripts';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { type Budget, parseBudget } from '../command/budget.ts';

/** The options of `import`. */
export interface ImportOptions {
  readonly paths: readonly string[];
  /** Undefined where the id of each conversation names its user. */
  readonly user: string | undefined;
  readonly me: readonly string[];
  readonly speakers: ReadonlyMap<string, string>;
  readonly format?: string;
  readonly since?: string;
  readonly until?: string;
  readonly timezone?: string;
  readonly dayOrder?: DayOrder;
  readonly date?: string;
  /** Names the conversation, when there is only one. */
  readonly transcriptId?: string;
  readonly force: boolean;
  readonly retryFailed: boolean;
  readonly reread: boolean;
  readonly budget: Budget;
  readonly dryRun: boolean;
  /** How many of the left-out messages are listed. */
  readonly leftOut?: number;
  readonly yes: boolean;
}

/** What the command line asks for. */
export type ImportCommand =
  | {
      readonly command: 'import';
      readonly options: ImportOptions;
      readonly config: string | undefined;
      readonly json: boolean;
    }
  | { readonly command: 'imports'; readonly config: string | undefined; readonly json: boolean }
  | { readonly command: 'undo'; readonly id: string; readonly config: string | undefined; readonly json: boolean };

/** Where the command's own words go. */
export interface Outputs {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

function check<T>(value: T | undefined, allowed: string): T {
  if (value === undefined) throw new InvalidArgumentError(allowed);
  return value;
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `Ben=Benjamin`: what the file calls somebody, and the name to keep. */
function collectPair(value: string, before: ReadonlyMap<string, string> = new Map()): ReadonlyMap<string, string> {
  const at = value.indexOf('=');
  const [from, to] = [value.slice(0, at).trim(), value.slice(at + 1).trim()];
  if (at < 0 || from === '' || to === '') throw new InvalidArgumentError('must be NAME=NAME');
  return new Map([...before, [from, to]]);
}

function toMomentText(value: string): string {
  return check(parseMoment(value), 'must be a day or a time such as 2025-03-14 or 2025-03-14T19:40:00Z');
}

const DAY_ORDERS = { dmy: 'day-first', mdy: 'month-first', ymd: 'year-first' } as const;

function addImport(program: Command, onCommand: (commandLine: ImportCommand) => void): void {
  program
    .command('import')
    .argument('<path...>', 'files, folders, ZIP archives, or - for standard input')
    .option('--user <id>', 'whose memories they become', (value) => {
      const parsed = userIdSchema.safeParse(value);
      return check(parsed.success ? parsed.data : undefined, 'must be a user id');
    })
    .option('--user-from-transcript', "the user of each conversation is the conversation's own id")
    .option('--me <name>', 'the name of the user in the chat; may be given again', collect, [])
    .option(
      '--speaker-map <from=to>',
      'another name for a speaker; may be given again',
      collectPair,
      new Map<string, string>(),
    )
    .option('--format <name>', 'the format, instead of the one that is found')
    .option('--since <date>', 'only what was said from then on', (value) => toInstant(toMomentText(value)))
    .option('--until <date>', 'only what was said before', (value) => toInstant(toMomentText(value)))
    .option('--timezone <zone>', 'the zone of times without one, such as Asia/Shanghai', (value) =>
      check(isTimeZone(value) ? value : undefined, 'must be a time zone such as Europe/Paris'),
    )
    .addOption(new Option('--date-order <order>', 'the order of day, month and year').choices(Object.keys(DAY_ORDERS)))
    .option('--date <date>', 'when it took place, for turns without a time', toMomentText)
    .option('--transcript-id <id>', 'name of the conversation, so that a longer version replaces what it grew from')
    .option('--retry-failed', 'read those pieces again from which no facts could be drawn', false)
    .option('--reread', 'read all pieces again, as after another model or prompt was chosen', false)
    .option('--max-tokens <count>', 'end the run once the model was asked with so many tokens, its answers included')
    .option('--max-cost <usd>', 'end the run once it cost so many US dollars')
    .option('--force', 'keep facts of low importance too', false)
    .option('--dry-run', 'only show what is in it, and what a model would cost', false)
    .option('--left-out <count>', 'how many of the messages that are left out are listed, 20 without it', (value) =>
      check(/^\d{1,6}$/u.test(value) ? Number(value) : undefined, 'must be a number from 0 to 999999'),
    )
    .option('--yes', 'do not ask', false)
    .action((paths: readonly string[], given: Given, command: Command) =>
      onCommand({ command: 'import', options: toOptions(paths, given, command), ...globals(command) }),
    );
}

/** What commander makes of the command line. */
interface Given extends Omit<ImportOptions, 'paths' | 'user' | 'speakers' | 'dayOrder' | 'budget'> {
  readonly user?: string;
  readonly userFromTranscript?: true;
  readonly speakerMap: ReadonlyMap<string, string>;
  readonly dateOrder?: keyof typeof DAY_ORDERS;
  readonly maxTokens?: string;
  readonly maxCost?: string;
}

function toOptions(paths: readonly string[], given: Given, command: Command): ImportOptions {
  const { user, userFromTranscript, speakerMap: speakers, dateOrder, maxTokens, maxCost, ...rest } = given;
  if ((user === undefined) === (userFromTranscript === undefined)) {
    command.error("error: required option '--user <id>' or --user-from-transcript: give one of them");
  }
  const budget = parseBudget({ maxTokens, maxCost }, (message) => command.error(message));
  return {
    ...rest,
    paths,
    user,
    speakers,
    budget,
    ...(dateOrder !== undefined && { dayOrder: DAY_ORDERS[dateOrder] }),
  };
}

function globals(command: Command): { readonly config: string | undefined; readonly json: boolean } {
  const { config, json } = command.optsWithGlobals<{ config?: string; json?: boolean }>();
  return { config, json: json === true };
}

/** Reads the command line; a number is the exit code of a command that only asked for help, or was wrong. */
export function parseImportOptions(argv: readonly string[], version: string, outputs: Outputs): ImportCommand | number {
  let commandLine: ImportCommand | undefined;
  const onCommand = (one: ImportCommand): void => {
    commandLine = one;
  };
  const program = new Command('contextloom')
    .version(version)
    .option('--config <file>', 'the composition')
    .option('--json', 'print the result as JSON')
    .exitOverride()
    .configureOutput(outputs);
  addImport(program, onCommand);
  const imports = program
    .command('imports')
    .action((_options, command: Command) => onCommand({ command: 'imports', ...globals(command) }));
  imports
    .command('undo')
    .argument('<id>', 'the import, as "imports" lists it')
    .action((id: string, _options, command: Command) => onCommand({ command: 'undo', id, ...globals(command) }));
  try {
    program.parse([...argv]);
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
  return commandLine ?? 2;
}
