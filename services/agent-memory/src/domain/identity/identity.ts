import { editFile } from '../edit-file.ts';
import { LONG_TERM_FILE } from '../entry.ts';
import type { Locks } from '../locks.ts';
import type { Sync } from '../sync.ts';
import type { Language } from '../titles.ts';
import type { Workspace, WorkspaceFile } from '../workspace.ts';
import { OWNER_FILE, type OwnerPatch, type OwnerProfile, parseOwner, writeOwner } from './owner.ts';
import { skeletons } from './skeletons.ts';
import { parseSpirit, SPIRIT_FILE, type SpiritConfig, type SpiritPatch, writeSpirit } from './spirit.ts';
import { parseToolDefinitions, TOOLS_FILE, type ToolDefinition } from './tool-definitions.ts';

/** Where something was read, and when its file last changed; null when there is no file. */
export interface ReadFrom {
  readonly file_path: string;
  readonly last_modified: string | null;
}

/** Who the agent is, whom it serves, what it can use. */
export interface Identity {
  readonly spirit: SpiritConfig & ReadFrom;
  readonly owner: OwnerProfile & ReadFrom;
  readonly tools: readonly ToolDefinition[];
}

/** Which files there are, and whether they say what they have to. */
export interface IdentityStatus {
  readonly initialized: boolean;
  readonly files: readonly { readonly path: string; readonly exists: boolean }[];
  /** Fields that must not be empty and are. */
  readonly missing: readonly string[];
}

/** What the identity is read and written with. */
export interface IdentityOptions {
  readonly workspace: Workspace;
  readonly locks: Locks;
  readonly sync: Sync;
  readonly language: Language;
}

const FILES = [SPIRIT_FILE, OWNER_FILE, TOOLS_FILE, LONG_TERM_FILE];

function toReadFrom(path: string, file: WorkspaceFile | undefined): ReadFrom {
  return { file_path: path, last_modified: file?.modified ?? null };
}

/** Builds what reads and writes SPIRIT.md, OWNER.md and TOOLS.md. */
export function createIdentity({ workspace, locks, sync, language }: IdentityOptions) {
  async function spirit(): Promise<Identity['spirit']> {
    const file = await workspace.read(SPIRIT_FILE);
    return { ...parseSpirit(file?.text ?? ''), ...toReadFrom(SPIRIT_FILE, file) };
  }
  async function owner(): Promise<Identity['owner']> {
    const file = await workspace.read(OWNER_FILE);
    return { ...parseOwner(file?.text ?? ''), ...toReadFrom(OWNER_FILE, file) };
  }
  async function write(path: string, edit: (text: string) => string): Promise<void> {
    await locks.run(path, async () => {
      await editFile(workspace, path, (file) => ({
        text: edit(file?.text ?? skeletons[language][path] ?? ''),
        value: undefined,
      }));
      await sync.follow(path);
    });
  }
  async function status(): Promise<IdentityStatus> {
    const files = await Promise.all(
      FILES.map(async (path) => ({ path, exists: (await workspace.read(path)) !== undefined })),
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
  return {
    spirit,
    owner,
    status,
    tools: async () => parseToolDefinitions((await workspace.read(TOOLS_FILE))?.text ?? ''),
    writeSpirit: async (patch: SpiritPatch) => {
      await write(SPIRIT_FILE, (text) => writeSpirit(text, patch, language));
      return spirit();
    },
    writeOwner: async (patch: OwnerPatch) => {
      await write(OWNER_FILE, (text) => writeOwner(text, patch, language));
      return owner();
    },
    /** Makes the files that are missing, with their sections empty; never touches one that is there. */
    init: async (): Promise<IdentityStatus & { readonly created: readonly string[] }> => {
      const created: string[] = [];
      for (const path of FILES) {
        await locks.run(path, async () => {
          const text = skeletons[language][path] ?? '';
          if ((await workspace.read(path)) !== undefined) return;
          if ((await workspace.write(path, undefined, text)) === 'written') created.push(path);
          await sync.follow(path);
        });
      }
      return { ...(await status()), created };
    },
  };
}

/** What reads and writes the identity. */
export type IdentityFiles = ReturnType<typeof createIdentity>;
