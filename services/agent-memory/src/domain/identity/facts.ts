import { isContextloomError } from '@contextloom/contracts';
import { OWNER_FILE, SPIRIT_FILE, TOOLS_FILE } from '../model/files.ts';
import type { FileFacts } from '../ports/entry-index.ts';
import { parseOwner } from './owner.ts';
import { parseSpirit } from './spirit.ts';
import { parseToolDefinitions } from './tool-definitions.ts';

/** Reads one of the identity's files; nothing where its front matter cannot be read, which reading the file itself reports. */
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
