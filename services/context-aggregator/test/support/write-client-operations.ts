// npm run client:operations: writes the types of @contextloom/client from the operations.
import { toClientFiles, writeClientFiles } from './client-operations.ts';

await writeClientFiles(await toClientFiles());
