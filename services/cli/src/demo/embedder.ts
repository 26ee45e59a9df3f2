import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { ContextloomError } from '@contextloom/contracts';
import { z } from 'zod';
import { entryFile } from '../composition/installation.ts';

const run = promisify(execFile);

const printedConfigSchema = z.object({ embeddingProvider: z.object({ value: z.string() }) });

/** What asking the knowledge base needs. */
export interface EmbedderQuestion {
  readonly execPath: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Asks the knowledge base for the name of the embedder that its settings choose.
 * @throws ContextloomError `unavailable` when it does not say
 */
export async function readEmbedderName({ execPath, env }: EmbedderQuestion): Promise<string> {
  try {
    const { stdout } = await run(execPath, [entryFile('knowledge-base', 'server.js'), '--print-config'], { env });
    return printedConfigSchema.parse(JSON.parse(stdout)).embeddingProvider.value;
  } catch (cause) {
    throw new ContextloomError('unavailable', 'the knowledge base does not say which embedder it uses', { cause });
  }
}
