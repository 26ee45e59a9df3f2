import { describeConsequences } from './consequences.contract.ts';
import { describeExpiry } from './expiry.contract.ts';
import { describeFilters } from './filter-property.contract.ts';
import { describeIsolation } from './isolation.contract.ts';
import { describeSequences } from './neighbours.contract.ts';
import { describeExplanations } from './search-explain.contract.ts';
import { describeRebuild } from './store-rebuild.contract.ts';
import { describeUpgrade } from './store-upgrade.contract.ts';
import { describeOnChroma } from './support/engines.ts';

describeConsequences(describeOnChroma);
describeExpiry(describeOnChroma);
describeFilters(describeOnChroma);
describeIsolation(describeOnChroma);
describeSequences(describeOnChroma);
describeExplanations(describeOnChroma);
describeRebuild(describeOnChroma);
describeUpgrade(describeOnChroma);
