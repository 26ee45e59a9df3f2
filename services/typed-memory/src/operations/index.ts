import type { Operation } from '@contextloom/server-kit';
import type { TypedMemoryDeps } from './deps.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryChat } from './memory-chat.ts';
import { memoryDelete } from './memory-delete.ts';
import { memoryGet } from './memory-get.ts';
import { memoryGetProfile } from './memory-get-profile.ts';
import { memoryList } from './memory-list.ts';
import { memorySearch } from './memory-search.ts';
import { memoryUpdate } from './memory-update.ts';

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
