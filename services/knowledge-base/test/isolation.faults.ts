import { describeIsolation } from './isolation.contract.ts';
import { describeInFile } from './support/engines.ts';

describeIsolation(describeInFile);
