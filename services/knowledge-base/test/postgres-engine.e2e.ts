import { describeExpiry } from './expiry.contract.ts';
import { describeFilters } from './filter-property.contract.ts';
import { describeForgetting } from './forget-user.contract.ts';
import { describeIsolation } from './isolation.contract.ts';
import { describeSequences } from './neighbours.contract.ts';
import { describeExplanations } from './search-explain.contract.ts';
import { describeRebuild } from './store-rebuild.contract.ts';
import { describeUpgrade } from './store-upgrade.contract.ts';
import { describeOnPostgres } from './support/engines.ts';

describeExpiry(describeOnPostgres);
describeFilters(describeOnPostgres);
describeForgetting(describeOnPostgres);
describeIsolation(describeOnPostgres);
describeSequences(describeOnPostgres);
describeExplanations(describeOnPostgres);
describeRebuild(describeOnPostgres);
describeUpgrade(describeOnPostgres);
