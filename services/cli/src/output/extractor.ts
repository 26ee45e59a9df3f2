import type { ExtractorInfo } from '@contextloom/contracts';
import { toPlainLine } from './text/plain.ts';

/** Who made memories, in words. */
export function describeExtractor(extractor: ExtractorInfo | null | undefined): string {
  if (extractor === null || extractor === undefined) return 'not told';
  const name = toPlainLine(extractor.name);
  if (extractor.kind === 'model') return `the model ${name}`;
  return name === extractor.kind ? 'written rules' : `written rules (${name})`;
}
