import { localPrincipal, type Principal } from '@contextloom/access';
import type { Operation } from '@contextloom/server-kit';
import { addKey, listKeys, revokeKey } from './access/keys.ts';
import { listActivity } from './access/list-activity.ts';
import { buildPromptWithContext } from './build-prompt-with-context.ts';
import type { ChatDeps } from './chat/deps.ts';
import { forget } from './chat/forget.ts';
import { getMemory } from './chat/get-memory.ts';
import { listMemories } from './chat/list-memories.ts';
import { recall } from './chat/recall.ts';
import { remember } from './chat/remember.ts';
import { updateMemory } from './chat/update-memory.ts';
import { fetchResult, search } from './connector/connector.ts';
import { listDecisions, undoDecision } from './decisions.ts';
import type { OperationDeps } from './deps.ts';
import { explainPrompt } from './explain-prompt.ts';
import { exportUser } from './export-user.ts';
import { extractMemories } from './extract-memories.ts';
import { forgetUser } from './forget-user.ts';
import { getServiceStatus } from './get-service-status.ts';
import { getUserMemories } from './get-user-memories.ts';
import { importUser } from './import-user.ts';
import { jobOperations } from './jobs.ts';
import { listFacts } from './list-facts.ts';
import { listUsers } from './list-users.ts';
import { restartServer } from './restart-server.ts';
import { storeConversationMemory } from './store-conversation-memory.ts';

/** What the people who run the servers do about users; no work of a model. */
const ofOperators: readonly Operation<OperationDeps>[] = [forgetUser, listUsers, exportUser, importUser];

/** Whether the profile `app` shows an operation: those of operators to keys with the scope admin alone, though all who may call them can. */
export const isListedInApp = (operation: string, { name }: Principal): boolean =>
  name !== localPrincipal.name || !ofOperators.some((one) => one.name === operation);

/** The aggregator's operations, in the order that clients see. */
export const operations: readonly Operation<OperationDeps>[] = [
  buildPromptWithContext,
  explainPrompt,
  storeConversationMemory,
  ...jobOperations,
  extractMemories,
  getUserMemories,
  listFacts,
  listDecisions,
  undoDecision,
  ...ofOperators,
  getServiceStatus,
];

/** The operations of the profile `chat`, in the order that clients see. */
export const chatOperations: readonly Operation<ChatDeps>[] = [remember, recall, updateMemory, forget, listMemories];

/** The operations of the profile `connector`, as ChatGPT's connectors name them. */
export const connectorOperations: readonly Operation<ChatDeps>[] = [search, fetchResult];

/** Those on the memories of all stores that programs have: what a chat has, and reading one whole. */
export const memoryOperations: readonly Operation<ChatDeps>[] = [...chatOperations, getMemory];

/** What the people who run the servers do about the servers: who may call over HTTP, who did, and starting one again. */
export const serverOperations: readonly Operation<OperationDeps>[] = [
  listKeys,
  addKey,
  revokeKey,
  listActivity,
  restartServer,
];
