import type { EditIndexed } from './edit-file.ts';
import type { MemoryPorts } from './ports.ts';
import type { Sync } from './sync.ts';
import type { Told } from './told.ts';

/** What the functions of a memory share. */
export interface MemoryParts extends MemoryPorts {
  readonly sync: Sync;
  readonly edit: EditIndexed;
  readonly told: Told;
}
