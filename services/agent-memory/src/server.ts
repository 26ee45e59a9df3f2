import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createAgentMemoryProgram } from './program.ts';

await runServer({ process, ...createAgentMemoryProgram({ clock: () => new Date(), newId: randomUUID }) });
