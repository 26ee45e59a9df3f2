/**
 * What an embedding model answered for one text, as a vector; undefined for anything else. Not every endpoint keeps to what
 * it was asked: some answer base64, nulls, or numbers that 32 bits do not hold. Such a vector, and one without a
 * direction, would be as near to one text as to any other.
 */
export function toUsableVector(answer: unknown): Float32Array | undefined {
  if (!Array.isArray(answer) || !answer.every((value) => typeof value === 'number')) return undefined;
  const vector = Float32Array.from(answer);
  return vector.every(Number.isFinite) && vector.some((value) => value !== 0) ? vector : undefined;
}
