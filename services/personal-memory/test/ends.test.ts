import { describeEnds } from './ends.contract.ts';

describeEnds();
