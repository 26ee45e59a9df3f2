import type { Identity, IdentityStatus, Initialized, Owner, Spirit } from '../answers.ts';
import { OWNER_FILE, SPIRIT_FILE, TOOLS_FILE, TOP_FILES } from '../files.ts';
import type { MemoryParts } from '../parts.ts';
import type { WorkspaceFile } from '../workspace.ts';
import { type OwnerPatch, parseOwner, writeOwner } from './owner.ts';
import { skeletons } from './skeletons.ts';
import { parseSpirit, type SpiritPatch, writeSpirit } from './spirit.ts';
import { parseToolDefinitions } from './tool-definitions.ts';

/** Where something was read, and when its file last changed. */
function toReadFrom(path: string, file: WorkspaceFile | undefined): Pick<Spirit, 'file_path' | 'last_modified'> {
  return { file_path: path, last_modified: file?.modified ?? null };
}

/** Builds what reads and writes SPIRIT.md, OWNER.md and TOOLS.md. */
export function createIdentity({ workspace, edit, language }: Pick<MemoryParts, 'workspace' | 'edit' | 'language'>) {
  async function spirit(): Promise<Spirit> {
    const file = await workspace.read(SPIRIT_FILE);
    return { ...parseSpirit(file?.text ?? ''), ...toReadFrom(SPIRIT_FILE, file) };
  }
  async function owner(): Promise<Owner> {
    const file = await workspace.read(OWNER_FILE);
    return { ...parseOwner(file?.text ?? ''), ...toReadFrom(OWNER_FILE, file) };
  }
  async function write(path: string, toText: (text: string) => string): Promise<void> {
    await edit(path, (file) => ({ text: toText(file?.text ?? skeletons[language][path] ?? ''), value: undefined }));
  }
  async function status(): Promise<IdentityStatus> {
    const files = await Promise.all(
      TOP_FILES.map(async (path) => ({ path, exists: (await workspace.read(path)) !== undefined })),
    );
    const [{ role, personality, values, behavior_rules }, { name }] = await Promise.all([spirit(), owner()]);
    const required: readonly (readonly [string, boolean])[] = [
      ['spirit.role', role === ''],
      ['spirit.personality', personality === ''],
      ['spirit.values', values.length === 0],
      ['spirit.behavior_rules', behavior_rules.length === 0],
      ['owner.name', name === ''],
    ];
    const missing = required.filter(([, isEmpty]) => isEmpty).map(([field]) => field);
    return { initialized: files.every(({ exists }) => exists), files, missing };
  }
  async function read(): Promise<Identity> {
    const files = [spirit(), owner(), workspace.read(TOOLS_FILE), status()] as const;
    const [agent, person, tools, found] = await Promise.all(files);
    return { spirit: agent, owner: person, tools: parseToolDefinitions(tools?.text ?? ''), status: found };
  }
  /** Makes the files that are missing, with their sections empty; never touches one that is there. */
  async function init(): Promise<Initialized> {
    const created: string[] = [];
    for (const path of TOP_FILES) {
      const skeleton = skeletons[language][path] ?? '';
      const isNew = await edit(path, (file) => ({ text: file?.text ?? skeleton, value: file === undefined }));
      if (isNew) created.push(path);
    }
    return { ...(await status()), created };
  }
  return {
    spirit,
    owner,
    status,
    read,
    init,
    writeSpirit: async (patch: SpiritPatch) => {
      await write(SPIRIT_FILE, (text) => writeSpirit(text, patch, language));
      return spirit();
    },
    writeOwner: async (patch: OwnerPatch) => {
      await write(OWNER_FILE, (text) => writeOwner(text, patch, language));
      return owner();
    },
  };
}

/** What reads and writes the identity. */
export type IdentityFiles = ReturnType<typeof createIdentity>;
