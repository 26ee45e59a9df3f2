import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** A folder of personas made for one test. */
export interface PersonaFolder {
  readonly folder: string;
  readonly remove: () => Promise<void>;
}

/** Writes files, given by their path inside the personas folder, into a fresh temporary folder. */
export async function createPersonaFolder(
  files: Readonly<Record<string, string | Uint8Array>>,
): Promise<PersonaFolder> {
  const root = await mkdtemp(join(tmpdir(), 'personas-'));
  const folder = join(root, 'personas');
  await mkdir(folder);
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), content);
  }
  return { folder, remove: () => rm(root, { recursive: true, force: true }) };
}

/** The files of a small complete persona, all of which a test may replace. */
export function toPersonaFiles(name: string, files: Readonly<Record<string, string | Uint8Array>> = {}) {
  const complete = {
    'persona.json': '{"display_name": "Testa", "language": "zh"}',
    'persona.md': '你是 {{char}}，{{user}} 的朋友。\n',
    'safety.md': '善待 {{user}}。\n',
    ...files,
  };
  return Object.fromEntries(Object.entries(complete).map(([path, content]) => [`${name}/${path}`, content]));
}
