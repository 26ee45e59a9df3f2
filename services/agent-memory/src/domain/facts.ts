import { isContextloomError } from '@contextloom/contracts';
import type { OwnerProfile, SpiritConfig, ToolDefinition } from './answers.ts';
import { OWNER_FILE, SPIRIT_FILE, TOOLS_FILE } from './files.ts';
import { parseOwner } from './identity/owner.ts';
import { parseSpirit } from './identity/spirit.ts';
import { parseToolDefinitions } from './identity/tool-definitions.ts';

/** What a file says besides its entries. */
export type FileFacts =
  | { readonly kind: 'spirit'; readonly spirit: SpiritConfig }
  | { readonly kind: 'owner'; readonly owner: OwnerProfile }
  | { readonly kind: 'tools'; readonly tools: readonly ToolDefinition[] }
  | { readonly kind: 'day'; readonly summary: string | undefined }
  | { readonly kind: 'none' };

/** Reads what one of the files of the identity says; nothing where its front matter is not to be read, which its readers are told. */
export function toIdentityFacts(path: string, text: string): FileFacts {
  try {
    if (path === SPIRIT_FILE) return { kind: 'spirit', spirit: parseSpirit(text) };
    if (path === OWNER_FILE) return { kind: 'owner', owner: parseOwner(text) };
    if (path === TOOLS_FILE) return { kind: 'tools', tools: parseToolDefinitions(text) };
    return { kind: 'none' };
  } catch (error) {
    if (!isContextloomError(error)) throw error;
    return { kind: 'none' };
  }
}
