import { base, suitesNamed } from './jest.config.mjs';

// Suites that start built programs, reading threads, a Chroma server or PGlite. `npm run test:e2e` builds first.
export default { ...base, testMatch: suitesNamed('e2e') };
