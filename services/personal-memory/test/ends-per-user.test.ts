import { describeEnds } from './ends.contract.ts';
import { openStore } from './support/memory.ts';

describeEnds((folder) => openStore(folder, 'per-user'));
