import type { Operation } from '@contextloom/server-kit';
import type { TypedMemoryDeps } from './deps.ts';
import { memoryDelete, memoryGet, memoryList, memorySearch, memoryUpdate } from './memories.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryChat } from './memory-chat.ts';
import { memoryGetProfile } from './memory-get-profile.ts';

/** The four operations of the design, and those that list and correct. */
export const operations: readonly Operation<TypedMemoryDeps>[] = [
  memoryAdd,
  memorySearch,
  memoryChat,
  memoryGetProfile,
  memoryList,
  memoryGet,
  memoryUpdate,
  memoryDelete,
];
