import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import type { WholeMemory } from '../memories/details/use-whole.ts';
import type { Memory } from '../memories/memory.ts';
import { toHash } from '../route.ts';
import { Appearance } from '../shell/appearance.tsx';
import { download, openDownload } from '../shell/download.ts';
import { Problem } from '../shell/problem.tsx';
import { createZip } from '../shell/zip.ts';
import { canExport, exportUser } from '../users/export-user.ts';
import { youTexts } from './texts.ts';
import { type Document, type DocumentOptions, toHtml, toMarkdown } from './to-document.ts';

/** The page about oneself: how the page looks, and what belongs to one to take along, bring in and have forgotten. */
export default function You() {
  const { tell } = useTexts();
  const say = useViewTexts(youTexts);
  const { session } = useServer();
  const mayErase = session.users === 'all' && session.scopes.includes('admin');
  return (
    <Stack>
      <Title order={1} size="h3">
        {tell('page.you')}
      </Title>
      <Title order={2} size="h5">
        {say('page')}
      </Title>
      <Group>
        <Appearance />
      </Group>
      <Text>{say('zone', { zone: Intl.DateTimeFormat().resolvedOptions().timeZone })}</Text>
      <TakeAlong />
      <Title order={2} size="h5">
        {say('more')}
      </Title>
      <Anchor href={toHash('conversations')} underline="always">
        {say('bring')}
      </Anchor>
      <Anchor href={toHash('decisions')} underline="always">
        {say('changed')}
      </Anchor>
      <Title order={2} size="h5">
        {say('forget')}
      </Title>
      <Text>{say(mayErase ? 'forgetText' : 'forgetAsk')}</Text>
      {mayErase && (
        <Anchor href={toHash('users')} underline="always">
          {say('forget')}
        </Anchor>
      )}
    </Stack>
  );
}

const PAGE = 100;
/** Lists show the beginning of longer texts, 1,000 characters with the mark of what is left out. */
const MAY_BE_CUT = 900;
/** So many are read whole at once. */
const AT_ONCE = 8;

/** Reads all memories, newest first, page by page, as `toRead` answers each. */
function useAllMemories() {
  const { call } = useServer();
  const { user } = useUser();
  const readWhole = ({ id }: Memory): Promise<WholeMemory> => call('get_memory', { user_id: user, id });
  const readText = async (memory: Memory): Promise<Memory> =>
    memory.text.length < MAY_BE_CUT ? memory : { ...memory, text: (await readWhole(memory)).text };
  async function* readAll<T>(toRead: (memory: Memory) => Promise<T>): AsyncGenerator<readonly T[]> {
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = { limit: PAGE, order: 'newest' as const, ...(cursor !== undefined && { cursor }) };
      const answer = await call('list_memories', { user_id: user, ...page });
      const memories: T[] = [];
      for (let at = 0; at < answer.memories.length; at += AT_ONCE) {
        memories.push(...(await Promise.all(answer.memories.slice(at, at + AT_ONCE).map(toRead))));
      }
      yield memories;
      cursor = answer.next_cursor;
    }
  }
  return { readTexts: () => readAll(readText), readWhole: () => readAll(readWhole) };
}

const forms = ['markdown', 'html', 'list', 'okf'] as const;

/** Writes memories as the notes that `contextloom export --format okf` writes. */
async function toNotes(memories: readonly WholeMemory[]): Promise<Blob> {
  const { placeNotes, toOpenNote, writeNote, writeNoteIndex } = await import('@contextloom/contracts/open-notes');
  const placed = placeNotes(memories.map(toOpenNote));
  const zip = createZip();
  for (const { note, path, links } of placed) zip.add(path, writeNote(note, links));
  zip.add('index.md', writeNoteIndex(placed));
  return zip.toBlob();
}

/** Memories as the list that Claude and other assistants take in, as `contextloom export --format list` writes it. */
async function toList(): Promise<Document> {
  const { writeMemoryLine } = await import('@contextloom/contracts/open-notes');
  return { head: '', toPart: (memories) => memories.map((memory) => writeMemoryLine(memory)).join(''), foot: '' };
}

interface Form {
  readonly open: (options: DocumentOptions) => Document | Promise<Document>;
  readonly type: string;
  readonly ending: string;
}
const documents: Readonly<Record<Exclude<(typeof forms)[number], 'okf'>, Form>> = {
  markdown: { open: toMarkdown, type: 'text/markdown', ending: '.md' },
  html: { open: toHtml, type: 'text/html', ending: '.html' },
  list: { open: toList, type: 'text/plain', ending: '.txt' },
};

/** Downloads all memories in a form, and answers how many. */
function useWriteAll() {
  const { tell, language } = useTexts();
  const say = useViewTexts(youTexts);
  const { user } = useUser();
  const { readTexts, readWhole } = useAllMemories();
  const writeNotes = async (): Promise<number> => {
    const memories: WholeMemory[] = [];
    for await (const page of readWhole()) memories.push(...page);
    download(await toNotes(memories), `${user}-notes.zip`);
    return memories.length;
  };
  const writeDocument = async ({ open, type, ending }: Form): Promise<number> => {
    const document = await open({ title: say('title', { user }), language, undated: tell('memories.undated') });
    const file = await openDownload(`${user}${ending}`, type);
    let [count, last]: [number, Memory | undefined] = [0, undefined];
    try {
      await file.write(document.head);
      for await (const memories of readTexts()) {
        await file.write(document.toPart(memories, last));
        count += memories.length;
        last = memories.at(-1) ?? last;
      }
      await file.write(document.foot);
    } catch (reason) {
      await file.abort(reason);
      throw reason;
    }
    await file.close();
    return count;
  };
  return (form: (typeof forms)[number]) => (form === 'okf' ? writeNotes() : writeDocument(documents[form]));
}

function TakeAlong() {
  const say = useViewTexts(youTexts);
  const { call, session } = useServer();
  const { user } = useUser();
  const write = useWriteAll();
  const writing = useMutation({
    mutationFn: async (form: (typeof forms)[number]) => {
      const count = await write(form);
      return say('taken', { count });
    },
  });
  const archiving = useMutation({
    mutationFn: async () => {
      const { archive, unreached } = await exportUser(user, {
        readPage: (cursor) => call('export_user', { user_id: user, ...(cursor !== undefined && { cursor }) }),
        onServer: () => undefined,
      });
      download(archive, `${user}.zip`);
      const what = unreached.map((one) => `${one.what} – ${one.why}`).join('; ');
      return `${say('archived')} ${what === '' ? '' : say('partly', { what })}`;
    },
  });
  const isBusy = writing.isPending || archiving.isPending;
  return (
    <>
      <Title order={2} size="h5">
        {say('take')}
      </Title>
      <Text>{say('takeText')}</Text>
      <Group>
        {forms.map((form) => (
          <Button key={form} variant="default" disabled={isBusy} onClick={() => writing.mutate(form)}>
            {say(form)}
          </Button>
        ))}
        {session.scopes.includes('admin') && canExport() && (
          <Button variant="default" disabled={isBusy} onClick={() => archiving.mutate()}>
            {say('zip')}
          </Button>
        )}
      </Group>
      <Text role="status">{archiving.data ?? writing.data}</Text>
      <Problem error={writing.error ?? archiving.error} />
    </>
  );
}
