import { describeUpgrade } from './store-upgrade.contract.ts';
import { describeInFile } from './support/engines.ts';

describeUpgrade(describeInFile);
