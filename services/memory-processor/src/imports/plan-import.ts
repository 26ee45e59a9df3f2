import { isContextloomError, type ModelUsage } from '@contextloom/contracts';
import { readSource } from '@contextloom/transcripts';
import { toModelUsage } from '../answers.ts';
import type { Usage } from '../domain/extractor.ts';
import type { MemoryProcessor } from '../domain/memory-processor.ts';
import { sumUsage } from '../domain/usage.ts';
import { findOwner, type ImportRequest, toRecordRequest } from './import-request.ts';
import { createPreview, type Preview } from './preview.ts';

/** What an import would do, and what it would cost. */
export interface Plan {
  readonly previews: readonly Preview[];
  /** What a model would be asked; absent without a model. */
  readonly estimate?: ModelUsage & { readonly price_basis: string };
  /** What the files are known by. */
  readonly digests: readonly string[];
}

interface Retractions {
  readonly hasSome: boolean;
  readonly note?: string;
}

/** Whether a user has corrected or deleted anything; without a model a preview needs no knowledge base for more. */
async function lookForRetractions(userId: string, processor: MemoryProcessor): Promise<Retractions> {
  try {
    return { hasSome: await processor.hasRetractions(userId) };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { hasSome: false, note: `what was corrected or deleted could not be looked up: ${error.message}` };
  }
}

/** The same, looked up once for each user. */
function createRetractions(processor: MemoryProcessor): (userId: string) => Promise<Retractions> {
  const known = new Map<string, Promise<Retractions>>();
  return (userId) => {
    const retractions = known.get(userId) ?? lookForRetractions(userId, processor);
    known.set(userId, retractions);
    return retractions;
  };
}

/** Reads all sources once, saving nothing. */
export async function planImport(
  request: ImportRequest,
  { processor }: { readonly processor: MemoryProcessor },
): Promise<Plan> {
  const usages: Usage[] = [];
  const isModel = processor.extractor.kind === 'model';
  const retractionsOf = createRetractions(processor);
  const found = [];
  for (const source of request.sources) {
    const preview = createPreview(source.name, request.leftOut);
    const addNote = ({ note }: Retractions) => note !== undefined && preview.add({ kind: 'note', text: note });
    if (request.userId !== undefined) addNote(await retractionsOf(request.userId));
    for await (const one of readSource(source, request.read)) {
      preview.add(one);
      if (one.kind !== 'conversation') continue;
      const owner = findOwner(request, one.conversation);
      if ('reason' in owner) {
        preview.add({ kind: 'fault', path: source.name, reason: owner.reason });
        continue;
      }
      const retractions = await retractionsOf(owner.userId);
      addNote(retractions);
      if (!(isModel || retractions.hasSome)) continue;
      const conversation = toRecordRequest(one.conversation, owner.userId, request);
      const estimate = await processor.estimateConversation(conversation, { signal: request.read.signal });
      usages.push(estimate.usage);
      preview.addRetracted(estimate.retracted);
    }
    found.push(preview.result());
  }
  const usage = sumUsage(usages);
  return {
    digests: found.map(({ digest }) => digest),
    previews: found.map(({ digest: _digest, ...preview }) => preview),
    ...(isModel && { estimate: { ...toModelUsage(usage, processor), price_basis: processor.price(usage).basis } }),
  };
}
