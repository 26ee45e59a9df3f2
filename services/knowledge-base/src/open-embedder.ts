import { createEmbedder, type Embedder } from '@contextloom/llm';

/** The settings that say what turns text into vectors. */
export interface EmbeddingChoice {
  readonly embeddingProvider: string;
  readonly embeddingModel: string | undefined;
  readonly embeddingBaseUrl: string | undefined;
  readonly embeddingApiKey: string | undefined;
  readonly embeddingDimensions: number | undefined;
}

/**
 * Opens the embedder that the settings name.
 * @throws ContextloomError `invalid` for an unknown one or a missing setting, else when it has to be asked and cannot be used
 */
export function openEmbedder(choice: EmbeddingChoice): Promise<Embedder> {
  return createEmbedder({
    provider: choice.embeddingProvider,
    model: choice.embeddingModel,
    baseUrl: choice.embeddingBaseUrl,
    apiKey: choice.embeddingApiKey,
    dimensions: choice.embeddingDimensions,
  });
}
