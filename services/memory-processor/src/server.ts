import process from 'node:process';
import { runServer } from '@contextloom/mcp-kit';
import { memoryProcessorProgram } from './program.ts';

await runServer({ process, ...memoryProcessorProgram });
