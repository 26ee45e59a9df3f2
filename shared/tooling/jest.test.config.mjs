import process from 'node:process';
import { inMemory } from './jest.config.mjs';

// Properties that do not say how often they run: enough to see what a change broke, in the two minutes that a run has.
process.env.PROPERTY_RUNS ??= '30';

// Half of a run was jest loading the same modules for each suite. Here a worker loads a module once, as Node does, and runs
// many suites; they get by without mocks of modules and without state in modules. Needs `--import` of test-modules.mjs.
const { transform, testEnvironment, testEnvironmentOptions, ...rest } = inMemory;
export default { ...rest, runner: 'jest-light-runner/child-process' };
