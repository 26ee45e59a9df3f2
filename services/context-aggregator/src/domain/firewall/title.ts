import { toLines } from '@contextloom/retrieval';
import { withoutHidden } from './hidden.ts';
import { neutralise } from './markup.ts';

/** The title of a section as its declaration words it, on one line, without brackets that end it and marks of other parts. */
export function toTitleText(title: string): string {
  const line = toLines(withoutHidden(title)).join(' ').replaceAll('[', '［').replaceAll(']', '］');
  return neutralise(line).trim();
}
