import { describeArchive } from './archive.contract.ts';
import { describeOnChroma } from './support/engines.ts';

describeArchive(describeOnChroma);
