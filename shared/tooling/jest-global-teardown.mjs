export { teardown as default } from './jest-run-folder.mjs';
