// Recall of the knowledge base with the vectors of a small English encoder: bench:recall, with the encoder as its endpoint.
//
//   npm run bench:recall:encoder -- <file ...> [options of bench:recall]
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { startEncoder } from '../../../shared/tooling/encoder.mjs';

const bench = fileURLToPath(new URL('../../knowledge-base/bench/recall.mjs', import.meta.url));
const encoder = await startEncoder();
const env = { ...process.env, ...encoder.settings };
const [code] = await once(
  spawn(process.execPath, [bench, ...process.argv.slice(2)], { env, stdio: 'inherit' }),
  'exit',
);
encoder.close();
process.exit(code ?? 1);
