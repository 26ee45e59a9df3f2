import { Anchor, Button, Group, Stack, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import type { Memory } from '../memories/memory.ts';
import { toHash } from '../route.ts';
import { Appearance } from '../shell/appearance.tsx';
import { download } from '../shell/download.ts';
import { Problem } from '../shell/problem.tsx';
import { canExport, exportUser } from '../users/export-user.ts';
import { youTexts } from './texts.ts';
import { toHtml, toList, toMarkdown } from './to-document.ts';

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

/** Reads all memories, newest first, each whole. */
function useAllMemories() {
  const { call } = useServer();
  const { user } = useUser();
  const toWhole = async (memory: Memory): Promise<Memory> => {
    if (memory.text.length < MAY_BE_CUT) return memory;
    return { ...memory, text: (await call('get_memory', { user_id: user, id: memory.id })).text };
  };
  return async (): Promise<readonly Memory[]> => {
    const memories: Memory[] = [];
    for (let cursor: string | undefined, isFirst = true; isFirst || cursor !== undefined; isFirst = false) {
      const page = { limit: PAGE, order: 'newest' as const, ...(cursor !== undefined && { cursor }) };
      const answer = await call('list_memories', { user_id: user, ...page });
      for (let at = 0; at < answer.memories.length; at += AT_ONCE) {
        memories.push(...(await Promise.all(answer.memories.slice(at, at + AT_ONCE).map(toWhole))));
      }
      cursor = answer.next_cursor;
    }
    return memories;
  };
}

const documents = {
  markdown: { write: toMarkdown, type: 'text/markdown', ending: 'md' },
  html: { write: toHtml, type: 'text/html', ending: 'html' },
  list: { write: toList, type: 'text/plain', ending: 'txt' },
} as const;

function TakeAlong() {
  const { tell, language } = useTexts();
  const say = useViewTexts(youTexts);
  const { call, session } = useServer();
  const { user } = useUser();
  const readAll = useAllMemories();
  const writing = useMutation({
    mutationFn: async (form: keyof typeof documents) => {
      const { write, type, ending } = documents[form];
      const memories = await readAll();
      const text = write(memories, { title: say('title', { user }), language, undated: tell('memories.undated') });
      download(new Blob([text], { type }), `${user}.${ending}`);
      return say('taken', { count: memories.length });
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
        {(['markdown', 'html', 'list'] as const).map((form) => (
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
