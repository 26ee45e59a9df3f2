import { describeConsequences } from './consequences.contract.ts';

describeConsequences();
