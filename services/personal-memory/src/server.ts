#!/usr/bin/env node
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createPersonalMemoryProgram } from './program.ts';

await runServer({ process, ...createPersonalMemoryProgram({ clock: () => new Date() }) });
