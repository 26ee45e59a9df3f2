// A machine that has not run the suites before knows no times, and jest then begins with the largest files. The longest suites
// are small files: they would begin last, and the other workers would wait for them.
import { readFileSync } from 'node:fs';
import { relative, sep } from 'node:path';
import TestSequencer from '@jest/test-sequencer';

/** Seconds of the suites that take longest, about, on two cores that do nothing else. */
const SECONDS = JSON.parse(readFileSync(new URL('suite-seconds.json', import.meta.url), 'utf8'));

/** Sorts by how long a suite took here, else by what `suite-seconds.json` says, else by its size: a second for each kilobyte. */
export default class LongestFirst extends TestSequencer {
  time(test) {
    const { config, hasteFS } = test.context;
    const file = relative(config.rootDir, test.path).split(sep).join('/');
    return super.time(test) ?? (SECONDS[file] === undefined ? hasteFS.getSize(test.path) : SECONDS[file] * 1_000);
  }
}
