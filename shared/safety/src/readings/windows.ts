/** UTF-16 units that are judged at once. An expression may need the square of that, and no more, however long the text. */
const WINDOW = 800;
/** What two neighbours share, so that no order falls between them. */
const OVERLAP = 300;

/** Cuts a text into windows that overlap; one that begins inside the text begins with `…`, so that nothing looks like a start. */
export function toWindows(text: string): readonly string[] {
  if (text.length <= WINDOW) return [text];
  const windows: string[] = [text.slice(0, WINDOW)];
  for (let start = WINDOW - OVERLAP; start + OVERLAP < text.length; start += WINDOW - OVERLAP) {
    windows.push(`…${text.slice(start, start + WINDOW)}`);
  }
  return windows;
}
