import { setTimeout as sleep } from 'node:timers/promises';

/** The text of a note, some chunks long. */
const toContent = (at: number): string =>
  Array.from(
    { length: 40 },
    (_, line) => `Note ${at}, line ${line}: the tide table of month ${at * line}. 潮汐表。`,
  ).join('\n\n');

/** Agents that write without a pause, and remember what was acknowledged. */
export interface Writers {
  /** Texts by the id that was answered. */
  readonly acknowledged: ReadonlyMap<string, string>;
  /** Resolves once so many more are acknowledged. */
  readonly untilMore: (count: number) => Promise<void>;
  /** Ends them, and waits for what is under way. */
  readonly stop: () => Promise<void>;
}

/** Starts writers to three projects; what fails is left out and the next tried. */
export function startWriters(url: string, width: number, from: number): Writers {
  const acknowledged = new Map<string, string>();
  let isOver = false;
  const write = async (first: number): Promise<void> => {
    for (let at = first; !isOver; at += width) {
      const body = JSON.stringify({ project_name: `p${at % 3}`, content_type: 'testing', content: toContent(at) });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${url}/ingest/memory`, { method: 'POST', headers, body })
        .then(async (response) => (response.ok ? ((await response.json()) as { id: string }) : undefined))
        .catch(() => undefined);
      if (answer !== undefined) acknowledged.set(answer.id, toContent(at));
      else await sleep(20);
    }
  };
  const writing = Array.from({ length: width }, (_, at) => write(from + at));
  return {
    acknowledged,
    untilMore: async (count) => {
      for (const before = acknowledged.size; acknowledged.size < before + count; ) await sleep(20);
    },
    stop: async () => {
      isOver = true;
      await Promise.all(writing);
    },
  };
}

/** The acknowledged texts that the server at an address does not give back as they were sent. */
export async function findLost(url: string, acknowledged: ReadonlyMap<string, string>): Promise<readonly string[]> {
  const lost: string[] = [];
  for (const [id, content] of acknowledged) {
    const answer = (await (await fetch(`${url}/memories?ids=${id}`)).json()) as { results: { content: string }[] };
    if (answer.results[0]?.content !== content) lost.push(id);
  }
  return lost;
}
