import { applyEdits, findNodeAtLocation, parseTree } from 'jsonc-parser';
import { findComma } from '../composition/append-value.ts';

/** Takes out a value with its key and one comma. The library's own way takes comments around it along. */
export function removeValue(text: string, path: readonly (string | number)[]): string {
  const tree = parseTree(text);
  const value = tree && findNodeAtLocation(tree, [...path]);
  const node = value?.parent?.type === 'property' ? value.parent : value;
  const list = node?.parent;
  if (node === undefined || list?.children === undefined) return text;
  const at = list.children.indexOf(node);
  const [before, after] = [list.children[at - 1], list.children[at + 1]];
  const end = node.offset + node.length;
  const closing = list.offset + list.length - 1;
  // The comma behind it: what stands between would be drawn into a comment in front of it.
  const comma =
    findComma(text, end, after?.offset ?? closing) ??
    (before && findComma(text, before.offset + before.length, node.offset));
  const start = text.slice(0, node.offset).trimEnd().length;
  const isAlone = before === undefined && after === undefined && start === list.offset + 1;
  // Of brackets with nothing between them no blank line is left.
  const isBlank = isAlone && text.slice(end, closing).replace(',', '').trim() === '';
  if (isBlank) return text.slice(0, start) + text.slice(closing);
  const own = { offset: start, length: end - start, content: '' };
  return applyEdits(text, comma === undefined ? [own] : [comma, own].sort((a, b) => a.offset - b.offset));
}

/** Takes out what is left of a list or an object that this program alone had filled. */
export function removeEmpty(text: string, path: readonly string[]): string {
  const tree = parseTree(text);
  const node = tree && findNodeAtLocation(tree, [...path]);
  return node?.children?.length === 0 ? removeValue(text, path) : text;
}
