import { describeParity } from './parity.ts';

describeParity({ runs: 10, indexRuns: 6 });
