import { describeParity } from './parity.ts';

describeParity({ runs: 100, indexRuns: 60 });
