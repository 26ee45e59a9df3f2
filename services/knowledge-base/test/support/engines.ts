import { afterAll, beforeAll, describe } from '@jest/globals';
import type { Isolation } from '../../src/domain/knowledge-base.ts';
import { type ChromaServer, describeWithChroma, startChroma } from './chroma-server.ts';
import { openTemporary, type TemporaryKnowledgeBase } from './service.ts';

/** A kind of store to run a suite over. */
export interface Engine {
  readonly open: (isolation?: Isolation) => Promise<TemporaryKnowledgeBase>;
  /** How many runs of a property fit: a call that takes one millisecond in a file takes twenty over a network. */
  readonly runs: { readonly many: number; readonly few: number };
}

/** Describes the same of a knowledge base over each kind of store. */
export function describeEachEngine(name: string, suite: (engine: Engine) => void): void {
  describe(`${name}, in a file`, () => {
    suite({ open: openTemporary, runs: { many: 100, few: 25 } });
  });
  describeWithChroma(`${name}, on a Chroma server`, () => {
    let server: ChromaServer;
    beforeAll(async () => {
      server = await startChroma();
    }, 60_000);
    afterAll(() => server.stop());
    suite({ open: (isolation) => openTemporary(isolation, server), runs: { many: 25, few: 5 } });
  });
}
