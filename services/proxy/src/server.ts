import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createProxyProgram } from './program.ts';

await runServer({ process, ...createProxyProgram({ execPath: process.execPath }) });
