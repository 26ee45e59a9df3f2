import {
  DEFAULT_LOCAL_MODEL,
  DEFAULT_MODELS_FOLDER,
  type DownloadOutcome,
  downloadModel,
  HUB,
  installLibrary,
  toLibraryFolder,
  toModelFolder,
} from '@contextloom/llm/local-model';
import type { Command } from 'commander';
import { loadComposition } from '../composition/composition.ts';
import type { CliContext } from '../context.ts';
import { readGlobals } from '../options.ts';
import { printJson, printLines } from '../output/print.ts';
import { createProgress } from '../output/progress.ts';

const EXAMPLES = `
Examples:
  $ contextloom setup embeddings                                 what EMBEDDING_MODEL names, or ${DEFAULT_LOCAL_MODEL}
  $ contextloom setup embeddings --model Xenova/bge-small-en-v1.5
  $ EMBEDDING_BASE_URL=https://hf-mirror.com contextloom setup embeddings

Then set EMBEDDING_PROVIDER=local, in the .env file for instance. Nothing is fetched after that.`;

/** What `setup embeddings` prints with `--json`. */
interface SetupReport {
  readonly success: true;
  readonly library: { readonly folder: string; readonly outcome: 'installed' | 'already there' };
  readonly model: { readonly name: string; readonly folder: string; readonly outcome: DownloadOutcome };
}

function describe({ library, model }: SetupReport): readonly string[] {
  return [
    `library  ${library.outcome}: ${library.folder}`,
    `model    ${model.outcome}: ${model.name} in ${model.folder}`,
    'Set EMBEDDING_PROVIDER=local to use it; "contextloom doctor" says how fast it is.',
  ];
}

async function setUpEmbeddings(
  context: CliContext,
  env: CliContext['env'],
  named: string | undefined,
): Promise<SetupReport> {
  const { signal, stderr } = context;
  const dataDir = env['EMBEDDING_DATA_DIR'] || DEFAULT_MODELS_FOLDER;
  const name = named ?? (env['EMBEDDING_MODEL'] || DEFAULT_LOCAL_MODEL);
  stderr.write('Installing transformers.js with npm, some 50 MB ...\n');
  const library = await installLibrary({ dataDir, signal });
  stderr.write(`Downloading ${name} ...\n`);
  const progress = createProgress(stderr, 'bytes');
  const hub = env['EMBEDDING_BASE_URL'] || HUB;
  const model = await downloadModel({ dataDir, model: name, hub, signal, onProgress: progress.update }).finally(
    progress.stop,
  );
  return {
    success: true,
    library: { folder: toLibraryFolder(dataDir), outcome: library },
    model: { name, folder: toModelFolder(dataDir, name), outcome: model },
  };
}

/** Adds `setup`: what is installed once, on demand. */
export function registerSetup(program: Command, context: CliContext): void {
  const setup = program.command('setup').description('install what is only needed on demand');
  setup
    .command('embeddings')
    .description('install an embedding model that runs on this machine, for EMBEDDING_PROVIDER=local')
    .option('--model <name>', 'a model of the hub with weights for transformers.js, or a folder')
    .addHelpText('after', EXAMPLES)
    .action(async ({ model }: { readonly model?: string }, command: Command) => {
      const globals = readGlobals(command);
      const { env } = await loadComposition(context, globals);
      const report = await setUpEmbeddings(context, env, model);
      if (globals.json) printJson(context, report);
      else printLines(context, describe(report));
    });
}
