/** Characters that a file name keeps; others, such as marks that turn the direction of a text, become `_`. */
const UNSAFE = /[^\p{L}\p{N}._-]/gu;

/** Downloads bytes as a file. */
export function download(content: Blob, name: string): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(content);
  link.download = name.replace(UNSAFE, '_').slice(0, 100);
  link.click();
  // A browser may still ask where to save them.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
