import type { Operation } from '@contextloom/mcp-kit';
import type { TypedMemoryDeps } from './deps.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryChat } from './memory-chat.ts';
import { memoryGetProfile } from './memory-get-profile.ts';
import { memorySearch } from './memory-search.ts';

/** The four operations. */
export const operations: readonly Operation<TypedMemoryDeps>[] = [
  memoryAdd,
  memorySearch,
  memoryChat,
  memoryGetProfile,
];
