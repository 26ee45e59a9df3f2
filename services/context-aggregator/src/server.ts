import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { runServer } from '@contextloom/server-kit';
import { createAggregatorProgram } from './program.ts';

await runServer({ process, ...createAggregatorProgram(fileURLToPath(import.meta.url)) });
