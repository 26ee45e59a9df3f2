import type { EditIndexed } from './edit-file.ts';
import type { MemoryPorts } from './ports.ts';
import type { Sync } from './sync.ts';
import type { Told } from './told.ts';
import type { WorkspaceLanguage } from './workspace-language.ts';

/** What the functions of a memory share. */
export interface MemoryParts extends Omit<MemoryPorts, 'language'> {
  /** The language of headings that are written, told from a text where the files say nothing yet. */
  readonly language: WorkspaceLanguage['find'];
  readonly sync: Sync;
  readonly edit: EditIndexed;
  readonly told: Told;
}
