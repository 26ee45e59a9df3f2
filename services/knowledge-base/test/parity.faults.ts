import { toRounds } from '@contextloom/testing/rounds';
import { describeParity } from './parity.ts';

describeParity({ runs: toRounds(14, 160) });
