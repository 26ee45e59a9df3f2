import { DECISION_TAG } from '@contextloom/contracts';
import type { MemoryDocument, RecordedMemory } from '../memory-store.ts';
import type { Extracted } from './extract-window.ts';

interface StampOptions {
  readonly batch: readonly Extracted[];
  /** What was recorded of the conversation before. */
  readonly recorded: ReadonlyMap<string, RecordedMemory>;
  readonly importId: string | undefined;
}

/**
 * Marks what an import adds, so that it can be taken back: the memories of its windows and the decisions about them. A window that was
 * there before stays what it was, also when it has grown; facts of before that a decision changes stay those of others.
 */
export function stampImport(
  documents: readonly MemoryDocument[],
  { batch, recorded, importId }: StampOptions,
): readonly MemoryDocument[] {
  const own = new Set(batch.flatMap((extracted) => extracted.documents.map(({ doc_id: id }) => id)));
  return documents.map((document) => {
    const before = recorded.get(document.doc_id);
    const isOwn = own.has(document.doc_id) || document.tags.includes(DECISION_TAG);
    const stamp = before === undefined ? (isOwn ? importId : undefined) : before.importId;
    return stamp === undefined ? document : { ...document, metadata: { ...document.metadata, import: stamp } };
  });
}
