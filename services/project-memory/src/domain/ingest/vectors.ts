/** The mean of vectors, scaled to length 1; undefined of none, and where they cancel each other out. */
export function toMeanVector(vectors: readonly Float32Array[]): Float32Array | undefined {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value;
  const length = Math.hypot(...mean);
  if (!(length > 1e-9)) return undefined;
  return Float32Array.from(mean, (value) => value / length);
}
