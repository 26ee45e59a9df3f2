import { openStore, schemes } from '../support/memory.ts';
import { describeStore } from './store.contract.ts';

for (const scheme of schemes)
  describeStore({ name: scheme, hasFiles: true, open: (folder) => openStore(folder, scheme) });
