import { describeRebuild } from './store-rebuild.contract.ts';
import { describeInFile } from './support/engines.ts';

describeRebuild(describeInFile);
