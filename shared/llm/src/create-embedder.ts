import { ContextloomError } from '@contextloom/contracts';
import type { Embedder } from './embedder.ts';
import { createLexicalEmbedder } from './lexical-embedder.ts';

/** Which embedder to build, and the size of its vectors. */
export interface EmbedderSettings {
  readonly provider: string;
  readonly dimensions?: number;
}

const providers: Readonly<Record<string, (settings: EmbedderSettings) => Embedder>> = {
  lexical: createLexicalEmbedder,
};

/** Builds the embedder that `EMBEDDING_PROVIDER` names; an unknown name is an `invalid` error. */
export function createEmbedder(settings: EmbedderSettings): Embedder {
  const create = Object.hasOwn(providers, settings.provider) ? providers[settings.provider] : undefined;
  if (create === undefined) {
    const allowed = Object.keys(providers).join(', ');
    throw new ContextloomError('invalid', `EMBEDDING_PROVIDER must be one of: ${allowed}`, {
      field: 'EMBEDDING_PROVIDER',
    });
  }
  return create(settings);
}
