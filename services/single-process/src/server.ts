import { randomUUID } from 'node:crypto';
import process from 'node:process';
import { createLog } from '@contextloom/runtime';
import { runServer } from '@contextloom/server-kit';
import { createSingleProcess } from './program.ts';

// What one piece of work forgot to wait for ends with that work. It would end a process of its own, and all servers of this one.
process.on('unhandledRejection', (cause) => {
  createLog({ name: 'single-process' }).error({ cause }, 'work failed that nothing waited for');
});

await runServer({
  process,
  ...createSingleProcess({
    clock: () => new Date(),
    newId: randomUUID,
    changeFolder: (folder) => process.chdir(folder),
  }),
});
