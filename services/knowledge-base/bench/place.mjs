// A knowledge base of a bench, in this process, over a store of its own: what openLocalKnowledgeBase wants besides the folder.
import { randomUUID } from 'node:crypto';
import { silentLog } from '@contextloom/runtime';

export const place = {
  chromaUrl: undefined,
  chromaApiKey: undefined,
  chromaTenant: undefined,
  chromaDatabase: undefined,
  chromaCollection: 'bench',
  cacheMb: 256,
  embeddingProvider: 'lexical',
  isolation: 'strict',
  clock: () => new Date(),
  newId: randomUUID,
  log: silentLog,
};
