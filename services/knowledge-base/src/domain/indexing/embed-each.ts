import { isContextloomError } from '@contextloom/contracts';

/** Makes the vectors of texts, in order. */
export type EmbedTexts = (texts: readonly string[]) => Promise<readonly Float32Array[]>;

/** The vectors of texts; one that the model refuses as such goes without, and does not hold up the others. */
export async function embedEach(
  texts: readonly string[],
  embed: EmbedTexts,
): Promise<readonly (Float32Array | undefined)[]> {
  try {
    return await embed(texts);
  } catch (error) {
    const isOfText = isContextloomError(error) && (error.code === 'invalid' || error.code === 'too_large');
    if (!isOfText) throw error;
    if (texts.length <= 1) return [undefined];
    const vectors: (Float32Array | undefined)[] = [];
    for (const text of texts) vectors.push(...(await embedEach([text], embed)));
    return vectors;
  }
}
