import type { StdioMemory } from './server-process.ts';

/** A text of its own for each writer and turn. */
const toContent = (name: string, writer: number, at: number): string =>
  `Note ${name}, writer ${writer}, number ${at}: station ${writer * 1_000 + at} and its tides. 潮汐表 ${at}。`;

/** Agents over stdio that write without a pause, and remember what was acknowledged. */
export interface StdioWriters {
  /** Texts by the id that was answered. */
  readonly acknowledged: ReadonlyMap<string, string>;
  readonly failures: readonly { readonly writer: number; readonly error: string }[];
  /** How long each acknowledged call took, in milliseconds. */
  readonly times: readonly number[];
  /** Resolves once each client that is not gone has so many more writes acknowledged. */
  readonly untilEach: (count: number) => Promise<void>;
  /** Resolves when all writers have written all that they were to, or their clients are gone. */
  readonly finished: Promise<void>;
  /** Ends them, and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

/** Starts a writer for each client, up to so many writes each; one whose client is gone ends. */
export function startStdioWriters(clients: readonly StdioMemory[], name: string, most = 1_000_000): StdioWriters {
  const acknowledged = new Map<string, string>();
  const failures: { writer: number; error: string }[] = [];
  const times: number[] = [];
  const counts = clients.map(() => 0);
  const gone = new Set<number>();
  let waiting: (() => void)[] = [];
  let isOver = false;
  const tell = (): void => {
    const told = waiting;
    waiting = [];
    for (const resolve of told) resolve();
  };
  const write = async (client: StdioMemory, writer: number): Promise<void> => {
    for (let at = 0; !isOver && at < most; at += 1) {
      const content = toContent(name, writer, at);
      const started = performance.now();
      try {
        const args = { project_name: `p${at % 3}`, content_type: 'testing', content };
        acknowledged.set((await client.call('mem.ingest_memory', args)).id, content);
        times.push(performance.now() - started);
        counts[writer] = at + 1;
      } catch (error) {
        failures.push({ writer, error: String(error) });
        if (/closed|Not connected/i.test(String(error))) break;
      } finally {
        tell();
      }
    }
    gone.add(writer);
    tell();
  };
  const finished = Promise.all(clients.map(write)).then(() => undefined);
  return {
    acknowledged,
    failures,
    times,
    finished,
    untilEach: async (count) => {
      const goals = counts.map((written) => written + count);
      const isReached = () => counts.every((written, at) => gone.has(at) || written >= (goals[at] ?? 0));
      while (!isReached()) await new Promise<void>((resolve) => waiting.push(resolve));
    },
    stop: async () => {
      isOver = true;
      await finished;
    },
  };
}

/** The acknowledged texts that a client does not read back as they were sent. */
export async function findUnread(
  client: StdioMemory | undefined,
  acknowledged: ReadonlyMap<string, string>,
): Promise<readonly string[]> {
  const ids = [...acknowledged.keys()];
  const lost: string[] = [];
  for (let at = 0; at < ids.length; at += 20) {
    const asked = ids.slice(at, at + 20);
    const answer = await client?.call('mem.get', { ids: asked });
    const read = new Map(answer.results.map(({ id, content }: { id: string; content: string }) => [id, content]));
    lost.push(...asked.filter((id) => read.get(id) !== acknowledged.get(id)));
  }
  return lost;
}
