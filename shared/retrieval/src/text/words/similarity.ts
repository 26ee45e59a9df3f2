import { ContextloomError } from '@contextloom/contracts';

/** The cosine of the angle between two vectors of one length, in [-1, 1]; 0 when either has no direction. */
export function cosineSimilarity(a: Float32Array, b: Float32Array): number {
  if (a.length !== b.length) {
    throw new ContextloomError('invalid', `vectors must have one length, not ${a.length} and ${b.length}`);
  }
  const cosine = dotProduct(a, b) / (lengthOf(a) * lengthOf(b));
  return Number.isNaN(cosine) ? 0 : Math.max(-1, Math.min(1, cosine));
}

/** A vector of length 1 in the direction of `vector`; all zeros when it has none (only zeros, or not finite). */
export function normalize(vector: Float32Array): Float32Array {
  const length = lengthOf(vector);
  return length > 0 && Number.isFinite(length) ? vector.map((x) => x / length) : new Float32Array(vector.length);
}

function lengthOf(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, vector));
}

function dotProduct(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index += 1) sum += (a[index] ?? 0) * (b[index] ?? 0);
  return sum;
}
