import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

const packageFile = createRequire(import.meta.url).resolve('@contextloom/sqlite/package.json');

/**
 * The program of a thread, in this package's dist whichever is running: threads of Node 20 cannot load TypeScript, so tests over
 * the sources use the built one, and so does a program that bundles this package.
 */
export const toBuiltFile = (path: string): URL => new URL(`dist/${path}`, pathToFileURL(packageFile));
