/** The mean of vectors, scaled to length 1; undefined of none, and where they cancel each other out. */
export function toMeanVector(vectors: readonly Float32Array[]): Float32Array | undefined {
  const mean = new Float64Array(vectors[0]?.length ?? 0);
  for (const vector of vectors) for (const [at, value] of vector.entries()) mean[at] = (mean[at] ?? 0) + value;
  const length = Math.hypot(...mean);
  if (!(length > 1e-9)) return undefined;
  return Float32Array.from(mean, (value) => value / length);
}

/** The cosine of two vectors of any length: not every endpoint gives vectors of length 1. 0 where one of them is all zeros. */
export function toCosine(a: Float32Array, b: Float32Array): number {
  let [product, ofA, ofB] = [0, 0, 0];
  for (let at = 0; at < a.length; at += 1) {
    const x = a[at] ?? 0;
    const y = b[at] ?? 0;
    product += x * y;
    ofA += x * x;
    ofB += y * y;
  }
  return ofA === 0 || ofB === 0 ? 0 : product / Math.sqrt(ofA * ofB);
}
