import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLog, readSettings } from '@contextloom/runtime';
import { serviceSettings } from '../../src/config.ts';
import { openLocalKnowledgeBase } from '../../src/open-local.ts';
import { serveKnowledgeBase } from './serve.ts';

/** The HTTP service in this process, on a folder of its own. */
export interface LocalService {
  readonly url: string;
  readonly folder: string;
  /** All that it logged. */
  readonly log: () => string;
  readonly stop: () => Promise<void>;
}

/**
 * Starts the HTTP service on a free port in this process. Other services' tests that need a knowledge base and no process
 * of its own use this, and nothing else of this service.
 */
export async function startLocalService(): Promise<LocalService> {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-kb-'));
  const lines: string[] = [];
  const stream = { write: (line: string) => void lines.push(line) };
  const log = createLog({ name: 'knowledge-base-service', level: 'debug', stream });
  const config = readSettings(serviceSettings, { KB_PORT: '0', KB_DATA_DIR: folder }).values;
  const knowledgeBase = await openLocalKnowledgeBase({ ...config, clock: () => new Date(), newId: randomUUID, log });
  const endpoint = await serveKnowledgeBase({ knowledgeBase, log });
  return {
    url: endpoint.url,
    folder,
    log: () => lines.join(''),
    stop: async () => {
      await endpoint.close();
      await knowledgeBase.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
