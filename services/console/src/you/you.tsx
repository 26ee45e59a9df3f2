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
import { download } from '../shell/download.ts';
import { Problem } from '../shell/problem.tsx';
import { createZip } from '../shell/zip.ts';
import { canExport, exportUser } from '../users/export-user.ts';
import { youTexts } from './texts.ts';
import { toHtml, toMarkdown } from './to-document.ts';

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

/** Reads all memories, newest first, as `toRead` answers each. */
function useAllMemories() {
  const { call } = useServer();
  const { user } = useUser();
  const readWhole = ({ id }: Memory): Promise<WholeMemory> => call('get_memory', { user_id: user, id });
  const readText = async (memory: Memory): Promise<Memory> =>
    memory.text.length < MAY_BE_CUT ? memory : { ...memory, text: (await readWhole(memory)).text };
  async function readAll<T>(toRead: (memory: Memory) => Promise<T>): Promise<readonly T[]> {
    const memories: T[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = { limit: PAGE, order: 'newest' as const, ...(cursor !== undefined && { cursor }) };
      const answer = await call('list_memories', { user_id: user, ...page });
      for (let at = 0; at < answer.memories.length; at += AT_ONCE) {
        memories.push(...(await Promise.all(answer.memories.slice(at, at + AT_ONCE).map(toRead))));
      }
      cursor = answer.next_cursor;
    }
    return memories;
  }
  return { readTexts: () => readAll(readText), readWhole: () => readAll(readWhole) };
}

const documents = {
  markdown: { toText: toMarkdown, type: 'text/markdown', ending: '.md' },
  html: { toText: toHtml, type: 'text/html', ending: '.html' },
} as const;
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

/** Writes memories as the list that Claude and other assistants take in, as `contextloom export --format list` does. */
async function toList(memories: readonly Memory[]): Promise<Blob> {
  const { writeMemoryLine } = await import('@contextloom/contracts/open-notes');
  return new Blob(memories.map(writeMemoryLine), { type: 'text/plain' });
}

function TakeAlong() {
  const { tell, language } = useTexts();
  const say = useViewTexts(youTexts);
  const { call, session } = useServer();
  const { user } = useUser();
  const { readTexts, readWhole } = useAllMemories();
  const write = async (form: (typeof forms)[number]) => {
    if (form === 'okf') {
      const memories = await readWhole();
      return { count: memories.length, content: await toNotes(memories), ending: '-notes.zip' };
    }
    const memories = await readTexts();
    const count = memories.length;
    if (form === 'list') return { count, content: await toList(memories), ending: '.txt' };
    const { toText, type, ending } = documents[form];
    const text = toText(memories, { title: say('title', { user }), language, undated: tell('memories.undated') });
    return { count, content: new Blob([text], { type }), ending };
  };
  const writing = useMutation({
    mutationFn: async (form: (typeof forms)[number]) => {
      const { count, content, ending } = await write(form);
      download(content, `${user}${ending}`);
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
