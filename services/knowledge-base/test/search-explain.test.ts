import { describeExplanations } from './search-explain.contract.ts';
import { describeInFile } from './support/engines.ts';

describeExplanations(describeInFile);
