import { parseMoment } from '@contextloom/retrieval/time';
import { Command, CommanderError } from 'commander';
import { type Budget, parseBudget } from '../command/budget.ts';
import type { BatchRequest } from './run-batch.ts';

/** What the command line asks for. */
export interface BatchOptions {
  readonly request: BatchRequest;
  readonly budget: Budget;
  readonly config: string | undefined;
  readonly json: boolean;
}

/** Where the command's own words go. */
export interface Outputs {
  readonly writeOut: (text: string) => void;
  readonly writeErr: (text: string) => void;
}

const EXAMPLES = `
Examples:
  batch.js chat.txt --user anna
  batch.js exports/*.json --user anna --json
  batch.js locomo.json --user-from-transcript
  batch.js exports/*.json --user anna --dry-run      (what it would cost; nothing is sent or saved)
  batch.js diary.txt --user anna --transcript-id diary   (run it again when the file has grown)

The knowledge base is KB_URL (or KB_HOST with KB_PORT), else the server "knowledge-base" of the composition.
Exit codes: 0 done; 1 something could not be read or saved, the model could not be asked, or the run was stopped; 2 wrong usage.`;

interface Given {
  readonly user?: string;
  readonly userFromTranscript?: true;
  readonly transcriptId?: string;
  readonly date?: string;
  readonly config?: string;
  readonly force?: true;
  readonly retryFailed?: true;
  readonly reread?: true;
  readonly maxTokens?: string;
  readonly maxCost?: string;
  readonly dryRun?: true;
  readonly json?: true;
}

function toProgram(version: string, { writeOut, writeErr }: Outputs): Command {
  return new Command('batch.js')
    .description('Remembers conversations from files: Name: words lines, JSON, JSONL, LoCoMo.')
    .version(version)
    .argument('<file...>', 'files with conversations')
    .option('--user <id>', 'whose memory it is')
    .option('--user-from-transcript', "the user of each conversation is the conversation's own id")
    .option('--transcript-id <id>', 'name of the conversation, so that a longer version replaces what it grew from')
    .option('--date <date>', 'when it took place, for turns without a date')
    .option('--config <file>', 'the composition (default: MCP_CONFIG, ./mcp_config.json, or that of the product)')
    .option('--force', 'save facts of low importance too')
    .option('--retry-failed', 'read those pieces again from which no facts could be drawn')
    .option('--reread', 'read all pieces again, as after another model or prompt was chosen')
    .option('--max-tokens <count>', 'end the run once the model was asked with so many tokens, its answers included')
    .option('--max-cost <usd>', 'end the run once it cost so many US dollars')
    .option('--dry-run', 'only tell what it would ask of the model: calls, tokens, price')
    .option('--json', 'print the report as JSON')
    .addHelpText('after', EXAMPLES)
    .configureOutput({ writeOut, writeErr })
    .exitOverride();
}

/** Reads the command line; a number is the exit code of a command that only asked for help, or was wrong. */
export function parseBatchOptions(argv: readonly string[], version: string, outputs: Outputs): BatchOptions | number {
  const program = toProgram(version, outputs);
  try {
    program.parse([...argv]);
    const given = program.opts<Given>();
    if ((given.user === undefined) === (given.userFromTranscript === undefined)) {
      program.error('error: give either --user <id> or --user-from-transcript');
    }
    if (given.date !== undefined && parseMoment(given.date) === undefined) {
      program.error('error: --date must be a date such as 2024-03-05');
    }
    return {
      request: {
        files: program.args,
        userId: given.user,
        transcriptId: given.transcriptId,
        date: given.date,
        forceSave: given.force === true,
        retryFailed: given.retryFailed === true,
        reread: given.reread === true,
        dryRun: given.dryRun === true,
      },
      budget: parseBudget(given, (message) => program.error(message)),
      config: given.config,
      json: given.json === true,
    };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? 0 : 2;
  }
}
