// A folder that all suites of one test run share: what one of them starts for all of them leaves its pid there.
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Runs before the first suite; workers inherit the environment. */
export async function setup() {
  process.env.CONTEXTLOOM_TEST_RUN = await mkdtemp(join(tmpdir(), 'contextloom-test-run-'));
  process.env.CONTEXTLOOM_TEST_PID = String(process.pid);
}

/** Runs after the last suite: ends what was started for all of them. */
export async function teardown() {
  const folder = process.env.CONTEXTLOOM_TEST_RUN;
  for (const name of await readdir(folder)) {
    if (!name.endsWith('.pid')) continue;
    try {
      process.kill(Number(await readFile(join(folder, name), 'utf8')));
    } catch (error) {
      if (error.code !== 'ESRCH') throw error; // It has ended by itself.
    }
  }
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}
