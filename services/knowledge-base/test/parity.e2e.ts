import { describeParity } from './parity.ts';

describeParity({ runs: 16 });
