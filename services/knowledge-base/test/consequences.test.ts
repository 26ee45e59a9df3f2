import { describeConsequences } from './consequences.contract.ts';
import { describeInFile } from './support/engines.ts';

describeConsequences(describeInFile);
