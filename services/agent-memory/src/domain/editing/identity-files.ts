import { isContextloomError, type Language } from '@contextloom/contracts';
import type {
  Identity,
  IdentityStatus,
  Initialized,
  Owner,
  OwnerPatch,
  Spirit,
  SpiritPatch,
  ToolDefinition,
} from '@contextloom/contracts/agent-memory';
import { parseOwner, writeOwner } from '../identity/owner.ts';
import { skeletons } from '../identity/skeletons.ts';
import { parseSpirit, writeSpirit } from '../identity/spirit.ts';
import { parseToolDefinitions, raiseUnknownTool, writeToolEnabled } from '../identity/tool-definitions.ts';
import { LONG_TERM_FILE, OWNER_FILE, SPIRIT_FILE, TOOLS_FILE, TOP_FILES } from '../model/files.ts';
import type { WorkspaceFile } from '../ports/workspace.ts';
import type { MemoryParts } from './parts.ts';

/** What is to be written of who the agent is and whom it serves. */
export interface IdentityPatch {
  readonly spirit?: SpiritPatch | undefined;
  readonly owner?: OwnerPatch | undefined;
}

/** How many fields an identity has to have. */
const REQUIRED = 5;

/** What was read of a file, or why it could not be. */
type Attempt<T> = T & { readonly problem: IdentityStatus['unreadable'][number] | undefined };

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
  async function tools(): Promise<readonly ToolDefinition[]> {
    return parseToolDefinitions((await workspace.read(TOOLS_FILE))?.text ?? '');
  }
  async function write<Patch>(
    path: string,
    patch: Patch,
    toText: (text: string, patch: Patch, language: Language) => string,
  ): Promise<void> {
    const written = await language(JSON.stringify(patch));
    const skeleton = skeletons[written][path] ?? '';
    await edit(path, (file) => ({ text: toText(file?.text ?? skeleton, patch, written), value: undefined }));
  }
  /** What a file says, or what one without sections would where it cannot be read: the others are answered all the same. */
  async function attempt<T extends object>(path: string, work: () => Promise<T>, empty: T): Promise<Attempt<T>> {
    try {
      return { ...(await work()), problem: undefined };
    } catch (error) {
      if (!isContextloomError(error)) throw error;
      return { ...empty, problem: { path, message: error.message } };
    }
  }
  const tryAll = () =>
    Promise.all([
      attempt(SPIRIT_FILE, spirit, { ...parseSpirit(''), ...toReadFrom(SPIRIT_FILE, undefined) }),
      attempt(OWNER_FILE, owner, { ...parseOwner(''), ...toReadFrom(OWNER_FILE, undefined) }),
      attempt(TOOLS_FILE, async () => ({ tools: await tools() }), { tools: [] }),
      attempt(LONG_TERM_FILE, async () => ({ ...(await workspace.read(LONG_TERM_FILE)) }), {}),
    ]);
  async function toStatus(attempts: Awaited<ReturnType<typeof tryAll>>): Promise<IdentityStatus> {
    const unreadable = attempts.flatMap(({ problem }) => problem ?? []);
    const isUnreadable = new Set(unreadable.map(({ path }) => path));
    const files = await Promise.all(
      TOP_FILES.map(async (path) => ({
        path,
        exists: isUnreadable.has(path) || (await workspace.read(path)) !== undefined,
      })),
    );
    const [{ role, personality, values, behavior_rules }, { name }] = attempts;
    const required: readonly (readonly [string, boolean])[] = [
      ['spirit.role', role === ''],
      ['spirit.personality', personality === ''],
      ['spirit.values', values.length === 0],
      ['spirit.behavior_rules', behavior_rules.length === 0],
      ['owner.name', name === ''],
    ];
    const missing = required.filter(([, isEmpty]) => isEmpty).map(([field]) => field);
    return { initialized: files.every(({ exists }) => exists), files, missing, unreadable };
  }
  const status = async (): Promise<IdentityStatus> => toStatus(await tryAll());
  /** Whether none of the required fields is filled in, in files that can all be read. */
  async function isUnwritten(): Promise<boolean> {
    const { missing, unreadable } = await status();
    return unreadable.length === 0 && missing.length === REQUIRED;
  }
  async function read(): Promise<Identity> {
    const attempts = await tryAll();
    const [{ problem: _spirit, ...agent }, { problem: _owner, ...person }, known] = attempts;
    return { spirit: agent, owner: person, tools: known.tools, status: await toStatus(attempts) };
  }
  /** Makes the files that are missing, with their sections empty; never touches one that is there. */
  async function init(requested?: Language): Promise<Initialized> {
    const created: string[] = [];
    const written = requested ?? (await language());
    const missing = (await status()).files.filter(({ exists }) => !exists);
    for (const { path } of missing) {
      const skeleton = skeletons[written][path] ?? '';
      const isNew = await edit(path, (file) => ({ text: file?.text ?? skeleton, value: file === undefined }));
      if (isNew) created.push(path);
    }
    return { ...(await status()), created };
  }
  const identity = {
    spirit,
    owner,
    tools,
    status,
    isUnwritten,
    read,
    init,
    writeSpirit: async (patch: SpiritPatch) => {
      await write(SPIRIT_FILE, patch, writeSpirit);
      return spirit();
    },
    /** Turns a tool of TOOLS.md on or off. */
    setTool: async (name: string, enabled: boolean): Promise<ToolDefinition> => {
      await edit(TOOLS_FILE, (file) => ({ text: writeToolEnabled(file?.text ?? '', name, enabled), value: undefined }));
      const known = await tools();
      return known.find((tool) => tool.name === name) ?? raiseUnknownTool(name, known);
    },
    writeOwner: async (patch: OwnerPatch) => {
      await write(OWNER_FILE, patch, writeOwner);
      return owner();
    },
  };
  /** Both files, of which the first stays as it is written should the second be refused. */
  async function writeBoth({ spirit: agent, owner: person }: IdentityPatch): Promise<Identity> {
    if (agent !== undefined) await identity.writeSpirit(agent);
    if (person !== undefined) await identity.writeOwner(person);
    return read();
  }
  return { ...identity, write: writeBoth };
}

/** What reads and writes the identity. */
export type IdentityFiles = ReturnType<typeof createIdentity>;
