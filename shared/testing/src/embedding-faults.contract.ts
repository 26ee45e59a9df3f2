import { createEmbedder, type Embedder } from '@contextloom/llm';
import { type ScriptedOpenAi, type Step, startScriptedOpenAi } from '@contextloom/testing/llm';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';

/** The size of the vectors. */
const DIMENSIONS = 48;
/** How long the embedder waits for one answer, in milliseconds; without it a hanging endpoint holds it for minutes. */
const LIMIT_MS = 60_000;
/** The same while the endpoint is of no use: each of three faults lasts as long as this, four times in each store. */
const FAULTY_LIMIT_MS = 200;

const vector = (embedding: string): Step => ({
  kind: 'rubbish',
  body: `{"data": [{"index": 0, "embedding": ${embedding}}]}`,
});

/** What endpoints do that answer no usable vector. */
const FAULTS: Readonly<Record<string, Step>> = {
  'breaks the connection': { kind: 'cut' },
  'answers an error': { kind: 'error', status: 500, retryAfter: '0' },
  'answers numbers that are none': vector(`[${Array(DIMENSIONS).fill('"NaN"').join(', ')}]`),
  'answers null': vector('null'),
  'answers numbers beyond all numbers': vector(`[${Array(DIMENSIONS).fill('1e999').join(', ')}]`),
  'answers zeros': vector(JSON.stringify(Array(DIMENSIONS).fill(0))),
  'answers another number of dimensions': vector('[1, 2, 3]'),
  'answers base64': vector('"zczMPc3MTD4="'),
  'answers too few vectors': { kind: 'rubbish', body: '{"data": []}' },
  'answers no JSON': { kind: 'body', status: 200, body: '<html>gateway</html>' },
  'never answers': { kind: 'hang' },
};

/** A store of texts under test. */
export interface EmbeddedTexts {
  readonly put: (text: string) => Promise<unknown>;
  /** The texts that are found, best first. */
  readonly find: (words: string) => Promise<readonly string[]>;
  /** Makes the vectors that are missing, and answers how many. */
  readonly embedWaiting: () => Promise<number>;
  /** How many texts have none, as the store tells its operator. */
  readonly countWaiting: () => Promise<number>;
  readonly close: () => Promise<unknown>;
}

/** What a store is opened with. */
export interface EmbeddedTextsOptions {
  readonly embedder: Embedder;
  /** A clock on which every circuit breaker has cooled down at the next call, in milliseconds. */
  readonly now: () => number;
}

function limit({ embed, identity }: Embedder, limitMs: () => number): Embedder {
  const within = (signal: AbortSignal | undefined): AbortSignal =>
    AbortSignal.any([...(signal === undefined ? [] : [signal]), AbortSignal.timeout(limitMs())]);
  return { identity, embed: (texts, signal) => embed(texts, within(signal)) };
}

/** What every store does while its embedder is of no use: it takes texts, finds them by words, and embeds them later. */
export function testEmbeddingFaults(
  name: string,
  open: (options: EmbeddedTextsOptions) => Promise<EmbeddedTexts>,
): void {
  describe(`${name}, whose embedding endpoint`, () => {
    let endpoint: ScriptedOpenAi;
    let texts: EmbeddedTexts;
    let step: Step = { kind: 'embed' };
    let time = 0;
    let count = 0;
    const now = (): number => {
      time += 120_000;
      return time;
    };
    beforeAll(async () => {
      endpoint = await startScriptedOpenAi({ dimensions: DIMENSIONS, embeddings: () => step });
      const { url: baseUrl, apiKey } = endpoint;
      const made = await createEmbedder({ provider: 'openai', model: 'm', baseUrl, apiKey, dimensions: DIMENSIONS });
      // The first call also loads the client.
      await made.embed(['warm']);
      const limitMs = (): number => (step.kind === 'embed' ? LIMIT_MS : FAULTY_LIMIT_MS);
      texts = await open({ embedder: limit(made, limitMs), now });
    });
    afterAll(async () => {
      await texts.close();
      await endpoint.close();
    });

    it.each(Object.entries(FAULTS))('%s: the text is found by words, and embedded later', async (_name, fault) => {
      count += 1;
      const [before, during] = [`The parrot number${count} talks.`, `The terrier called Rex${count} barks.`];
      await texts.put(before);
      expect(await texts.embedWaiting()).toBe(0);
      step = fault;
      await texts.put(during);
      expect(await texts.countWaiting()).toBe(1);
      expect(await texts.find(`Rex${count}`)).toContain(during);
      expect(await texts.embedWaiting().catch(() => 0)).toBe(0);
      step = { kind: 'embed' };
      const from = endpoint.requests.length;
      expect(await texts.embedWaiting()).toBe(1);
      const requested = endpoint.requests.slice(from).flatMap(({ body }) => [body.input ?? []].flat());
      expect(requested).toEqual([expect.stringContaining(`Rex${count}`)]);
      expect(await texts.embedWaiting()).toBe(0);
      expect(await texts.countWaiting()).toBe(0);
      expect((await texts.find(`terrier Rex${count} barks`))[0]).toBe(during);
    });
  });
}
