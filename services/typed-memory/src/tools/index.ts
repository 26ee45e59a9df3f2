import type { Tool } from '@contextloom/mcp-kit';
import type { TypedMemoryDeps } from './deps.ts';
import { memoryAdd } from './memory-add.ts';
import { memoryChat } from './memory-chat.ts';
import { memoryGetProfile } from './memory-get-profile.ts';
import { memorySearch } from './memory-search.ts';

/** The four tools. */
export const tools: readonly Tool<TypedMemoryDeps>[] = [memoryAdd, memorySearch, memoryChat, memoryGetProfile];
