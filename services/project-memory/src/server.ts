#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createProjectMemoryProgram } from './program.ts';

await runServer({ process, ...createProjectMemoryProgram({ clock: () => new Date(), newId: randomUUID }) });
