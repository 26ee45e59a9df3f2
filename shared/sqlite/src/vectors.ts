import { ContextloomError } from '@contextloom/contracts';

/**
 * A vector as the index stores it: 32-bit floats, in the byte order of the machine.
 * @throws ContextloomError `internal` when it has another length than `dimensions`, or holds a value that is not finite
 */
export function toVectorBlob(vector: Float32Array, dimensions: number): Buffer {
  if (vector.length !== dimensions) {
    throw new ContextloomError(
      'internal',
      `the embedder gave ${vector.length} dimensions where ${dimensions} are stored`,
    );
  }
  if (!vector.every(Number.isFinite)) {
    throw new ContextloomError('internal', 'the embedder gave a vector with a value that is not finite');
  }
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}
