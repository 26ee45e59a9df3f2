import type { MemoryPorts } from '../ports/memory-ports.ts';
import type { EditIndexed } from '../sync/edit-file.ts';
import type { Sync } from '../sync/sync.ts';
import type { SeenTexts } from './seen-texts.ts';
import type { WorkspaceLanguage } from './workspace-language.ts';

/** What the functions of a memory share. */
export interface MemoryParts extends Omit<MemoryPorts, 'language'> {
  /** The language of headings that are written, seen from a text where the files say nothing yet. */
  readonly language: WorkspaceLanguage['find'];
  readonly sync: Sync;
  readonly edit: EditIndexed;
  readonly seen: SeenTexts;
}
