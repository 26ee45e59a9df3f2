import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createTypedMemoryProgram } from './program.ts';

await runServer({ process, ...createTypedMemoryProgram({ clock: () => new Date(), newId: randomUUID }) });
