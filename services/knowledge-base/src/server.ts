#!/usr/bin/env node
import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { runServer } from '@contextloom/server-kit';
import { createKnowledgeBaseProgram } from './program.ts';

await runServer({ process, ...createKnowledgeBaseProgram({ clock: () => new Date(), newId: randomUUID }) });
