import { createInterface } from 'node:readline';
import type { TestClient } from '@contextloom/testing';
import { type Running, startProgram } from './programs.ts';

/** A memory processor that serves over HTTP. */
export type RunningServer = Running & { readonly url: URL };

/** Starts the server on a free port, and answers where it listens. */
export async function startJobServer(options: Parameters<typeof startProgram>[2]): Promise<RunningServer> {
  const running = startProgram('server', ['--http', '0'], options);
  const { stderr } = running.child;
  if (stderr === null) throw new Error('the server has no standard error');
  for await (const line of createInterface({ input: stderr })) {
    const { msg, url } = JSON.parse(line) as { msg?: string; url?: string };
    if (msg !== 'listening' || url === undefined) continue;
    // A pipe that nobody empties would hold the server up.
    setImmediate(() => stderr.resume());
    return { ...running, url: new URL(url) };
  }
  throw new Error('the server ended before it listened; is it built?');
}

/** What a tool answers; an error of it, or no client, rejects. */
export async function asked(client: TestClient | undefined, tool: string, args: object) {
  if (client === undefined) throw new Error('nobody was reached');
  const { isError, structured, text } = await client.callTool(tool, { ...args });
  if (isError) throw new Error(text);
  return Object(structured);
}

/** Waits until a user's jobs are done: as many as were acknowledged, and no more. */
export async function untilAllDone(client: TestClient, user: string, count: number) {
  for (;;) {
    // A connection that was idle for seconds may be closed by the server just as it is used again.
    const list = () => asked(client, 'list_jobs', { user_id: user, limit: 200 });
    const { jobs } = await list().catch(list);
    const open = jobs.filter(({ state }: { state: string }) => state !== 'done');
    if (open.length === 0 && jobs.length === count) return jobs;
    if (jobs.length > count) throw new Error(`${jobs.length} jobs, and ${count} were acknowledged`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
