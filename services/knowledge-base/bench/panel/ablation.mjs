// What each constant of the ranking is worth: the panel once as it is and once with each change.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { printDifference } from './print.mjs';

const panel = fileURLToPath(new URL('../panel.mjs', import.meta.url));
const hooks = `data:text/javascript,${encodeURIComponent(
  `import { register } from 'node:module'; register(${JSON.stringify(new URL('./ablation-hooks.mjs', import.meta.url).href)});`,
)}`;

/** `file:::from:::to`: in the built file whose path ends so, one text for another. */
function parseAblation(text) {
  const [file, from, to, ...rest] = text.split(':::');
  if (to === undefined || rest.length > 0) throw new Error(`--ablate must be file:::from:::to, not ${text}`);
  return { file, from, to };
}

async function run(flags, ablation) {
  const folder = await mkdtemp(join(tmpdir(), 'contextloom-panel-'));
  const json = join(folder, 'panel.json');
  const loader = ablation === undefined ? [] : ['--import', hooks];
  const env = { ...process.env, ...(ablation !== undefined && { PANEL_ABLATION: JSON.stringify(ablation) }) };
  try {
    const child = spawn(process.execPath, [...loader, panel, ...flags, '--ours-alone', '--json', json], {
      env,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the panel ended with ${code}`);
    return JSON.parse(await readFile(json, 'utf8')).sets;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Prints for each ablation what it changes on every set; `flags` are those of the panel that choose sets. */
export async function runAblations(texts, flags) {
  const ablations = texts.map(parseAblation);
  const before = await run(flags);
  for (const ablation of ablations) {
    const { file, from, to } = ablation;
    printDifference(`${file}: ${from} → ${to}`, before, await run(flags, ablation));
  }
}
