import { DEFAULT_LANGUAGE, type Language } from '@contextloom/contracts';
import { detectLanguage } from '@contextloom/languages';
import { TOP_FILES } from '../model/files.ts';
import type { EntryIndex } from '../ports/entry-index.ts';
import type { Workspace } from '../ports/workspace.ts';

/** What a workspace's language is read from. */
export interface WorkspaceLanguageOptions {
  readonly workspace: Pick<Workspace, 'read'>;
  readonly index: Pick<EntryIndex, 'list'>;
  /** The language of the settings; `auto` for that of the files. */
  readonly choice: Language | 'auto';
}

/** The language of headings that are written. */
export interface WorkspaceLanguage {
  /** That of the files, or of a text where they say nothing yet. */
  find(text?: string): Promise<Language>;
  /** Has the files looked at again at the next call. */
  forget(): void;
}

/** Of a file or an entry, the beginning tells it. */
const MAX_READ = 2_000;
const ENTRIES = 20;

/** Builds what tells the language of a workspace; that of the design, Chinese, where nothing tells it. */
export function createWorkspaceLanguage({ workspace, index, choice }: WorkspaceLanguageOptions): WorkspaceLanguage {
  let known: Promise<Language | undefined> | undefined;

  async function read(): Promise<Language | undefined> {
    const files = await Promise.all(TOP_FILES.map((path) => workspace.read(path).catch(() => undefined)));
    const entries = index.list({}, { limit: ENTRIES, offset: 0 }).items.map(({ content }) => content);
    const texts = [...files.map((file) => file?.text ?? ''), ...entries];
    return detectLanguage(texts.map((text) => text.slice(0, MAX_READ)).join('\n'));
  }
  return {
    find: async (text = '') => {
      if (choice !== 'auto') return choice;
      known ??= read();
      return (await known) ?? detectLanguage(text.slice(0, MAX_READ)) ?? DEFAULT_LANGUAGE;
    },
    forget: () => {
      known = undefined;
    },
  };
}
