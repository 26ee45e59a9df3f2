/*
 * Each product is summed in an order that only the query decides, in four sums, since each addition waits for the one before.
 * What is read lies inside of the arrays: `?? 0` would take twice the time.
 */

/** The sum of the products of a query and the vector that begins at `from`. */
export function dotProduct(vectors: Float32Array, from: number, query: Float64Array): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const even = query.length - (query.length % 4);
  for (let at = 0; at < even; at += 4) {
    first += (vectors[from + at] as number) * (query[at] as number);
    second += (vectors[from + at + 1] as number) * (query[at + 1] as number);
    third += (vectors[from + at + 2] as number) * (query[at + 2] as number);
    fourth += (vectors[from + at + 3] as number) * (query[at + 3] as number);
  }
  for (let at = even; at < query.length; at += 1) first += (vectors[from + at] as number) * (query[at] as number);
  return first + second + third + fourth;
}

/** The same of a query that is given by the dimensions where it is not 0, and their values. */
export function sparseDotProduct(
  vectors: Float32Array,
  from: number,
  values: Float64Array,
  dimensions: Uint32Array,
): number {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const even = values.length - (values.length % 4);
  for (let at = 0; at < even; at += 4) {
    first += (vectors[from + (dimensions[at] as number)] as number) * (values[at] as number);
    second += (vectors[from + (dimensions[at + 1] as number)] as number) * (values[at + 1] as number);
    third += (vectors[from + (dimensions[at + 2] as number)] as number) * (values[at + 2] as number);
    fourth += (vectors[from + (dimensions[at + 3] as number)] as number) * (values[at + 3] as number);
  }
  for (let at = even; at < values.length; at += 1) {
    first += (vectors[from + (dimensions[at] as number)] as number) * (values[at] as number);
  }
  return first + second + third + fourth;
}

/** The length of a vector. */
export function toNorm(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, 0, Float64Array.from(vector)));
}
