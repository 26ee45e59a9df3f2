import { relative } from 'node:path';

/** The first line of an error, without colours. */
const toFirstLine = (message) =>
  message
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal's colours begin.
    .replace(/\u001b\[\d+m/g, '')
    .trim()
    .split('\n', 1)[0];

/** A line for each test that failed and each suite that could not run: what a log that was cut off must still show. */
export function toFailures({ testResults }, rootDir) {
  return testResults.flatMap(({ testFilePath, testExecError, testResults: tests }) => {
    const file = relative(rootDir, testFilePath);
    const failed = tests
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${toFirstLine(failureMessages[0] ?? '')}`);
    const broken = testExecError ? [`could not run: ${toFirstLine(testExecError.message ?? '')}`] : [];
    return [...failed, ...broken].map((line) => `failed: ${file} › ${line}`);
  });
}

// Prints machine-readable lines after jest's own summary: continuous integration counts tests by the last one, and repeats
// the others at its end.
export default class PlainSummaryReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed`;
    const lines = [...toFailures(results, this.rootDir), skipped > 0 ? `${line}, ${skipped} skipped` : line];
    process.stdout.write(`${lines.join('\n')}\n`);
  }
}
