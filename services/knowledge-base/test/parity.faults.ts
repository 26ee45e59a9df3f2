import { toRounds } from '@contextloom/testing/rounds';
import { describeParity } from './parity.ts';

describeParity({ runs: toRounds(8, 100), indexRuns: toRounds(6, 60) });
