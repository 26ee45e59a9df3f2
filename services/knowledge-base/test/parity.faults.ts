import { toRounds } from '../../../shared/tooling/rounds.ts';
import { describeParity } from './parity.ts';

describeParity({ runs: toRounds(20, 100), indexRuns: toRounds(12, 60) });
