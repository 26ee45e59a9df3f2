import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createMemoryProcessorProgram } from './program.ts';

await runServer({ process, ...createMemoryProcessorProgram({ clock: () => new Date(), newId: randomUUID }) });
