import { writeFileSync, writeSync } from 'node:fs';
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

/** The suites in which something failed, and how many of their tests passed: what `.ci/run` needs to run them again. */
export function toFailedSuites({ testResults }, rootDir) {
  const suites = testResults.filter(({ numFailingTests, testExecError }) => numFailingTests > 0 || testExecError);
  return {
    files: suites.map(({ testFilePath }) => relative(rootDir, testFilePath)),
    passed: suites.reduce((sum, { numPassingTests }) => sum + numPassingTests, 0),
  };
}

/** What is said of a run that was cut off: what had failed so far, and each suite that was under way, as failed. */
export function toCutOff(results, running, rootDir) {
  const hung = running.map((path) => `failed: ${relative(rootDir, path)} › had not ended when the run was cut off`);
  const notRun = results.numTotalTestSuites - results.testResults.length - hung.length;
  const failed = results.numFailedTests + results.numRuntimeErrorTestSuites + Math.max(1, hung.length);
  return [
    ...toFailures(results, rootDir),
    ...hung,
    `failed: the run was cut off, with ${notRun} suites not begun`,
    `${results.numPassedTests} passed, ${failed} failed`,
  ];
}

const toText = (lines) => `${lines.join('\n')}\n`;

// Prints machine-readable lines after jest's own summary: continuous integration counts tests by the last one, and repeats
// the others at its end. A run that is ended by SIGTERM, as `timeout` does in `.ci/run`, prints them too.
export default class PlainSummaryReporter {
  constructor({ rootDir }) {
    this.rootDir = rootDir;
    this.running = new Set();
    process.once('SIGTERM', () => {
      // Past `process.stdout`, which jest's default reporter wraps to write a little later: this process ends before.
      writeSync(1, toText(toCutOff(this.results, [...this.running], this.rootDir)));
      process.exit(1);
    });
  }

  onRunStart(results) {
    this.results = results;
  }

  onTestFileStart({ path }) {
    this.running.add(path);
  }

  onTestFileResult({ path }, _result, results) {
    this.running.delete(path);
    this.results = results;
  }

  onRunComplete(_contexts, results) {
    const failed = results.numFailedTests + results.numRuntimeErrorTestSuites;
    const skipped = results.numPendingTests + results.numTodoTests;
    const line = `${results.numPassedTests} passed, ${failed} failed`;
    const counts = skipped > 0 ? `${line}, ${skipped} skipped` : line;
    process.stdout.write(toText([...toFailures(results, this.rootDir), counts]));
    const file = process.env.FAILED_SUITES_FILE;
    if (file) writeFileSync(file, JSON.stringify(toFailedSuites(results, this.rootDir)));
  }
}
