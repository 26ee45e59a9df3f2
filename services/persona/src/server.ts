import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { personaProgram } from './program.ts';

await runServer({ process, ...personaProgram });
