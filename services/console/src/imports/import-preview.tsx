import { Button, Group, Loader, NativeSelect, Pagination, Paper, Stack, Table, TextInput, Title } from '@mantine/core';
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ServerAnswer } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useMoments } from '../i18n/dates.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { Problem } from '../shell/problem.tsx';
import type { HandedIn } from './hand-in.ts';
import { importTexts } from './texts.ts';

type Preview = ServerAnswer<'preview_import'>;

interface PreviewProps {
  readonly handed: HandedIn;
  readonly onClose: () => void;
  readonly onStarted: () => void;
}

/** Left-out messages that are shown at once. */
const LEFT_OUT_A_PAGE = 50;

/** What is in a file that was handed in, what is to be known of it, and the way to import it. */
export function ImportPreview({ handed, onClose, onStarted }: PreviewProps) {
  const { tell } = useTexts();
  const say = useViewTexts(importTexts);
  const { callServer } = useServer();
  const { user } = useUser();
  const [me, setMe] = useState('');
  const [page, setPage] = useState(1);
  const [zone, setZone] = useState(() => Intl.DateTimeFormat().resolvedOptions().timeZone);
  const [typed, setTyped] = useState(zone);
  const order = {
    user_id: user,
    upload: handed.upload,
    ...(me !== '' && { me: [me] }),
    ...(zone !== '' && { timezone: zone }),
  };
  const result = useQuery({
    queryKey: ['import preview', order, page],
    queryFn: ({ signal }) =>
      callServer(
        'preview_import',
        { ...order, left_out_from: (page - 1) * LEFT_OUT_A_PAGE, left_out_limit: LEFT_OUT_A_PAGE },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });
  const starting = useMutation({
    mutationFn: () => callServer('start_import', order),
    onSuccess: onStarted,
  });
  const preview = result.data;
  const hasLeftOut = preview !== undefined && preview.left_out_count > 0;
  return (
    <Paper withBorder p="md">
      <Stack>
        <Title order={3} size="h5" className="words">
          {say('inIt', { name: handed.name })}
        </Title>
        {result.isPending && <Loader aria-label={tell('wait')} />}
        {preview !== undefined && <Found preview={preview} />}
        {hasLeftOut && <LeftOut preview={preview} page={page} onPage={setPage} />}
        <Group align="end">
          {preview !== undefined && (preview.who_is_me || me !== '') && (
            <WhoIsMe
              names={preview.speakers.map(({ name }) => name)}
              me={me}
              onChange={(name) => {
                setMe(name);
                setPage(1);
              }}
            />
          )}
          <TextInput
            label={say('timezone')}
            maxLength={64}
            value={typed}
            onChange={({ currentTarget: { value } }) => setTyped(value)}
            onBlur={() => setZone(typed.trim())}
          />
        </Group>
        <Problem error={result.error ?? starting.error} />
        <Group>
          <Button
            disabled={preview === undefined || preview.turns === 0 || result.error !== null}
            loading={starting.isPending}
            onClick={() => starting.mutate()}
          >
            {say('start')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {say('cancel')}
          </Button>
        </Group>
      </Stack>
    </Paper>
  );
}

interface WhoIsMeProps {
  readonly names: readonly string[];
  readonly me: string;
  readonly onChange: (name: string) => void;
}

/** The one who was chosen is called "user" from then on, and stays in the list under the own name. */
function WhoIsMe({ names, me, onChange }: WhoIsMeProps) {
  const say = useViewTexts(importTexts);
  const all = new Set([...names.filter((name) => me === '' || name !== 'user'), ...(me === '' ? [] : [me])]);
  return (
    <NativeSelect
      label={say('me')}
      data={[{ value: '', label: say('nobody') }, ...all]}
      value={me}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  );
}

interface LeftOutProps {
  readonly preview: Preview;
  readonly page: number;
  readonly onPage: (page: number) => void;
}

/** What an import leaves out, message by message, page by page. */
function LeftOut({ preview, page, onPage }: LeftOutProps) {
  const say = useViewTexts(importTexts);
  const total = Math.ceil(preview.left_out_count / LEFT_OUT_A_PAGE);
  return (
    <details>
      <summary>{say('leftOutLines', { count: preview.left_out_count })}</summary>
      <Table aria-label={say('leftOut')}>
        <Table.Tbody>
          {preview.left_out_lines.map(({ place, reason, text }, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: one place may stand there several times
            <Table.Tr key={at}>
              <Table.Td className="words">{place}</Table.Td>
              <Table.Td>{reason}</Table.Td>
              <Table.Td className="words">{text}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {total > 1 && <Pagination total={total} value={page} onChange={onPage} />}
    </details>
  );
}

function Found({ preview }: { readonly preview: Preview }) {
  const say = useViewTexts(importTexts);
  const toMoment = useMoments();
  const { formats, conversations, turns, undated_turns: undated, speakers, from, to, left_out: leftOut } = preview;
  const { titles, faults, notes, estimated_calls: calls } = preview;
  const toList = (texts: readonly string[]): string => texts.join('\n') || say('nothing');
  const rows: readonly (readonly [string, string | number])[] = [
    [say('format'), toList(formats)],
    [say('conversations'), [String(conversations), ...titles.slice(0, 20)].join('\n')],
    [say('turns'), turns],
    [say('undated'), undated],
    [say('period'), from === undefined ? say('nothing') : `${toMoment(from)} – ${toMoment(to)}`],
    [say('speakers'), toList(speakers.slice(0, 20).map((one) => say('speaker', { name: one.name, turns: one.turns })))],
    [say('leftOut'), toList(leftOut.map(({ what, count }) => `${what}: ${count}`))],
    ...(faults.length > 0
      ? [[say('faults'), toList(faults.map(({ place, reason }) => `${place}: ${reason}`))] as const]
      : []),
    ...(notes.length > 0 ? [[say('notes'), toList(notes)] as const] : []),
    ...(calls !== undefined ? [[say('calls'), calls] as const] : []),
  ];
  return (
    <Table>
      <Table.Tbody>
        {rows.map(([name, value]) => (
          <Table.Tr key={name}>
            <Table.Th scope="row">{name}</Table.Th>
            <Table.Td className="words">{value}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
