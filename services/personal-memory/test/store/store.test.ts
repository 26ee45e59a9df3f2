import { schemes } from '../support/memory.ts';
import { describeStore } from './store.contract.ts';

for (const scheme of schemes) describeStore(scheme);
