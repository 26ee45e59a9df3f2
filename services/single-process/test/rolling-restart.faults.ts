import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { connectOverHttp, type TestClient } from '@contextloom/testing';
import { createDatabase, describeWithPostgres } from '@contextloom/testing/postgres-databases';
import { toRounds } from '@contextloom/testing/rounds';
import { expect, it } from '@jest/globals';
import { type Balancer, startBalancer } from './support/balancer.ts';
import { type Installation, startTogether } from './support/installation.ts';

const [CLIENTS, SECONDS, THINKING_MS] = toRounds([8, 15, 100], [32, 600, 1_500]);
const REPLICAS = 3;
/** Between two restarts. */
const PAUSE_MS = toRounds(500, 20_000);
/** Between being withdrawn from the balancer and being ended: `preStop` of the manifests. */
const WITHDRAWN_MS = toRounds(1_000, 5_000);
const ERAS = ['2025-11-25', '2026-07-28'];

/** What one client asks, in turn. */
const toCalls = (user: string, text: string) =>
  [
    ['knowledge-base__add_document', { content: text, metadata: { user_id: user } }],
    ['knowledge-base__search_documents', { query: 'rice and tea', user_id: user }],
    ['personal-memory__add_event', { user_id: user, event_type: 'activity', description: text }],
    ['build_prompt_with_context', { persona_name: 'marlow', user_id: user, user_query: 'What do I drink?' }],
    ['store_conversation_memory', { user_id: user, conversation_history: `Ann: ${text}`, wait: false }],
  ] as const;

interface Report {
  readonly times: Map<string, number[]>;
  readonly failures: string[];
  readonly stored: Map<string, string[]>;
}

/** Asks until the time has come, and notes how long each call takes and what fails. */
async function work(client: TestClient, user: string, until: number, { times, failures, stored }: Report) {
  const texts: string[] = [];
  stored.set(user, texts);
  while (performance.now() < until) {
    const text = `I drink tea with rice, number ${randomUUID()}`;
    for (const [tool, args] of toCalls(user, text)) {
      const from = performance.now();
      const failure = await client.callTool(tool, args).then(
        ({ isError, text: said }) => (isError ? said : undefined),
        (error: unknown) => String(error),
      );
      if (failure !== undefined) failures.push(`${tool}: ${failure}`);
      else if (tool === 'knowledge-base__add_document') texts.push(text);
      const known = times.get(tool) ?? [];
      known.push(performance.now() - from);
      times.set(tool, known);
      await sleep(THINKING_MS * 2 * Math.random());
    }
  }
}

/** Ends one replica after the other in good order, and starts it again, until it is told to end. */
async function restartInTurn(replicas: readonly Installation[], balancer: Balancer, isDone: () => boolean) {
  for (let restarts = 0; ; restarts += 1) {
    await sleep(PAUSE_MS);
    const { port, processes } = replicas[restarts % REPLICAS] as Installation;
    if (isDone()) return restarts;
    balancer.withdraw(port);
    await sleep(WITHDRAWN_MS);
    await processes[0]?.restart('SIGTERM');
    balancer.restore(port);
  }
}

const shareOf = (values: readonly number[], share: number): number =>
  Math.round([...values].sort((a, b) => a - b)[Math.floor(share * (values.length - 1))] ?? 0);

async function checkStored(balancer: Balancer, { stored }: Report): Promise<void> {
  const client = await connectOverHttp(new URL(`${balancer.url}/mcp/all`));
  for (const [user, texts] of stored) {
    const { structured } = await client.callTool('knowledge-base__list_documents', {
      user_id: user,
      limit: 1,
      tags: [],
    });
    expect(Object(structured).total).toBeGreaterThanOrEqual(texts.length);
  }
  await client.close();
}

describeWithPostgres('three replicas behind a balancer', (server) => {
  it(
    `fail no call of ${CLIENTS} clients of two eras while one after the other is restarted`,
    async () => {
      const databaseUrl = await createDatabase(server());
      const replicas: Installation[] = [];
      for (let at = 0; at < REPLICAS; at += 1) replicas.push(await startTogether({ databaseUrl }));
      const balancer = await startBalancer(replicas.map(({ port }) => port));
      const clients = await Promise.all(
        Array.from({ length: CLIENTS }, (_, at) =>
          connectOverHttp(new URL(`${balancer.url}/mcp/all`), ERAS[at % ERAS.length]),
        ),
      );
      try {
        const report: Report = { times: new Map(), failures: [], stored: new Map() };
        const until = performance.now() + SECONDS * 1_000;
        const working = clients.map((client, at) => work(client, `user-${at}`, until, report));
        const restarts = await restartInTurn(replicas, balancer, () => performance.now() > until);
        await Promise.all(working);
        for (const [tool, times] of report.times) {
          const figures = { calls: times.length, p50: shareOf(times, 0.5), p95: shareOf(times, 0.95) };
          process.stderr.write(`${tool}: ${JSON.stringify(figures)}\n`);
        }
        process.stderr.write(`${JSON.stringify({ restarts, failed: report.failures.length })}\n`);
        expect(restarts).toBeGreaterThanOrEqual(REPLICAS);
        expect(report.failures).toEqual([]);
        await checkStored(balancer, report);
      } finally {
        await Promise.all(clients.map((client) => client.close().catch(() => undefined)));
        await balancer.close();
        await Promise.all(replicas.map((replica) => replica.stop()));
      }
    },
    SECONDS * 1_000 + 300_000,
  );
});
