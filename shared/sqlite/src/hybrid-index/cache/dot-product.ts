/*
 * Each product is summed in an order that only the query decides, four products at a time, since each addition waits for the one
 * before. What is read lies inside of the arrays: `?? 0` would take twice the time.
 */

/** The sum of the products of a query and the vector that begins at `from`. */
export function dotProduct(vectors: Float32Array, from: number, query: Float64Array): number {
  let sum = 0;
  const even = query.length - (query.length % 4);
  for (let at = 0; at < even; at += 4) {
    const place = from + at;
    const first = (vectors[place] as number) * (query[at] as number);
    const second = (vectors[place + 1] as number) * (query[at + 1] as number);
    const third = (vectors[place + 2] as number) * (query[at + 2] as number);
    const fourth = (vectors[place + 3] as number) * (query[at + 3] as number);
    sum += first + second + (third + fourth);
  }
  for (let at = even; at < query.length; at += 1) sum += (vectors[from + at] as number) * (query[at] as number);
  return sum;
}

/** The same of a query that is given by the dimensions where it is not 0, and their values. */
export function sparseDotProduct(
  vectors: Float32Array,
  from: number,
  values: Float64Array,
  dimensions: Uint32Array,
): number {
  let sum = 0;
  const even = values.length - (values.length % 4);
  for (let at = 0; at < even; at += 4) {
    const first = (vectors[from + (dimensions[at] as number)] as number) * (values[at] as number);
    const second = (vectors[from + (dimensions[at + 1] as number)] as number) * (values[at + 1] as number);
    const third = (vectors[from + (dimensions[at + 2] as number)] as number) * (values[at + 2] as number);
    const fourth = (vectors[from + (dimensions[at + 3] as number)] as number) * (values[at + 3] as number);
    sum += first + second + (third + fourth);
  }
  for (let at = even; at < values.length; at += 1) {
    sum += (vectors[from + (dimensions[at] as number)] as number) * (values[at] as number);
  }
  return sum;
}

/**
 * The same of so many vectors as there are sums, which stand dimension by dimension: a search reads the dimensions of its query alone, one
 * after the other.
 */
export function columnDotProducts(
  columns: Float32Array,
  values: Float64Array,
  dimensions: Uint32Array,
  sums: Float64Array,
): void {
  const height = sums.length;
  const even = values.length - (values.length % 4);
  sums.fill(0);
  for (let at = 0; at < even; at += 4) {
    const [a, b] = [(dimensions[at] as number) * height, (dimensions[at + 1] as number) * height];
    const [c, d] = [(dimensions[at + 2] as number) * height, (dimensions[at + 3] as number) * height];
    const [p, q, r, s] = [values[at], values[at + 1], values[at + 2], values[at + 3]] as [
      number,
      number,
      number,
      number,
    ];
    for (let row = 0; row < height; row += 1) {
      const first = (columns[a + row] as number) * p + (columns[b + row] as number) * q;
      const second = (columns[c + row] as number) * r + (columns[d + row] as number) * s;
      sums[row] = (sums[row] as number) + (first + second);
    }
  }
  for (let at = even; at < values.length; at += 1) {
    const [column, value] = [(dimensions[at] as number) * height, values[at] as number];
    for (let row = 0; row < height; row += 1) {
      sums[row] = (sums[row] as number) + (columns[column + row] as number) * value;
    }
  }
}

/** The same of one of them. */
export function columnDotProduct(
  columns: Float32Array,
  { row, height }: { readonly row: number; readonly height: number },
  values: Float64Array,
  dimensions: Uint32Array,
): number {
  let sum = 0;
  const even = values.length - (values.length % 4);
  for (let at = 0; at < even; at += 4) {
    const first = (columns[(dimensions[at] as number) * height + row] as number) * (values[at] as number);
    const second = (columns[(dimensions[at + 1] as number) * height + row] as number) * (values[at + 1] as number);
    const third = (columns[(dimensions[at + 2] as number) * height + row] as number) * (values[at + 2] as number);
    const fourth = (columns[(dimensions[at + 3] as number) * height + row] as number) * (values[at + 3] as number);
    sum += first + second + (third + fourth);
  }
  for (let at = even; at < values.length; at += 1) {
    sum += (columns[(dimensions[at] as number) * height + row] as number) * (values[at] as number);
  }
  return sum;
}

/** The length of a vector. */
export function toNorm(vector: Float32Array): number {
  return Math.sqrt(dotProduct(vector, 0, Float64Array.from(vector)));
}
