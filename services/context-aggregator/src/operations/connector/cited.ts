import type { Access } from '@contextloom/access';
import { type MemoryAddress, toMemoryId } from '../../domain/stores/memory-id.ts';

const MAX_TITLE = 80;

/** What stands for a memory in a list of results: its first line, as plain text. */
function toTitle(text: string): string {
  const [line = ''] = text.trim().split('\n', 1);
  const characters = [...line.replace(/^[#＃]{1,6} +/, '')];
  return characters.length <= MAX_TITLE ? characters.join('') : `${characters.slice(0, MAX_TITLE - 1).join('')}…`;
}

/** A memory as ChatGPT cites it: the address leads to the console, where this server has one that people reach. */
export function toCited(address: MemoryAddress, text: string, access: Pick<Access, 'publicUrl'> | undefined) {
  const id = toMemoryId(address);
  const named = encodeURIComponent(id);
  const url =
    access?.publicUrl === undefined ? `urn:contextloom:${named}` : `${access.publicUrl}/#memories?id=${named}`;
  return { id, title: toTitle(text), url };
}
