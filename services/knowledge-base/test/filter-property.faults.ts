import { describeFilters } from './filter-property.contract.ts';
import { describeInFile } from './support/engines.ts';

describeFilters(describeInFile);
