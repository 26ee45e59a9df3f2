import { linkOperations } from './links.ts';
import { memoryOperations } from './memories.ts';

export {
  type ArbitrationAction,
  arbitrationActions,
  type ContentType,
  contentTypeSchema,
  type MissingPart,
  memoryIdSchema,
  ownerFields,
  type RelatedMemories,
  type Relation,
  relations,
  selectionFields,
} from './fields.ts';

/** What the operations of project memory take and answer. */
export const projectMemory = { ...memoryOperations, ...linkOperations } as const;
/** One of {@link projectMemory}. */
export type ProjectMemoryContract = typeof projectMemory;
