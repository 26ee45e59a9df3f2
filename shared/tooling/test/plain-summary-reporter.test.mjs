import { describe, expect, it } from '@jest/globals';
import { toFailedSuites, toFailures } from '../plain-summary-reporter.mjs';

const passed = { status: 'passed', fullName: 'a store keeps', failureMessages: [] };
const failed = {
  status: 'failed',
  fullName: 'a store loses nothing',
  failureMessages: ['\u001b[2mexpect(\u001b[22m1).toBe(2)\n\n  at x.ts'],
};

describe('the summary of a test run', () => {
  it('names each failed test and each suite that could not run in one line, with the cause', () => {
    const results = {
      testResults: [
        { testFilePath: '/repo/services/a/test/a.test.ts', testResults: [passed, failed] },
        { testFilePath: '/repo/b.test.ts', testResults: [], testExecError: new Error('Cannot find module\nx') },
        { testFilePath: '/repo/c.test.ts', testResults: [passed] },
      ],
    };
    expect(toFailures(results, '/repo')).toEqual([
      'failed: services/a/test/a.test.ts › a store loses nothing: expect(1).toBe(2)',
      'failed: b.test.ts › could not run: Cannot find module',
    ]);
  });

  it('names the suites to run again, and how many of their tests passed', () => {
    const results = {
      testResults: [
        { testFilePath: '/repo/a.test.ts', numFailingTests: 1, numPassingTests: 3 },
        { testFilePath: '/repo/b.test.ts', numFailingTests: 0, numPassingTests: 0, testExecError: new Error('x') },
        { testFilePath: '/repo/c.test.ts', numFailingTests: 0, numPassingTests: 7 },
      ],
    };
    expect(toFailedSuites(results, '/repo')).toEqual({ files: ['a.test.ts', 'b.test.ts'], passed: 3 });
  });
});
