import { Button, Loader, Progress, Stack, Table, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useMoments } from '../i18n/dates.ts';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { MEMORIES } from '../memories/use-memories.ts';
import { Listing } from '../shell/listing.tsx';
import { Problem } from '../shell/problem.tsx';
import { importTexts } from './texts.ts';
import { IMPORTS, type Import, useImports } from './use-imports.ts';

/** What was imported for the user, how far it is, and the way back. */
export function ImportList() {
  const { tell } = useTexts();
  const say = useViewTexts(importTexts);
  const { callServer, session } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const result = useImports();
  const refresh = () =>
    Promise.all([[IMPORTS, user], [MEMORIES]].map((queryKey) => client.invalidateQueries({ queryKey })));
  const undoing = useMutation({
    mutationFn: (id: string) => callServer('undo_import', { user_id: user, id }),
    onSettled: refresh,
  });
  const imports = result.data?.imports;
  const saved = imports?.reduce((sum, one) => sum + one.saved, 0);
  // What an import saves is in the lists of memories from then on.
  useEffect(() => {
    if (saved !== undefined) void client.invalidateQueries({ queryKey: [MEMORIES] });
  }, [saved, client]);
  return (
    <Stack>
      <Title order={2} size="h4">
        {say('list')}
      </Title>
      <Problem error={result.error ?? undoing.error} />
      {undoing.data !== undefined && (
        <Text role="status">{say('taken', { removed: undoing.data.removed, restored: undoing.data.restored })}</Text>
      )}
      {result.isPending && <Loader aria-label={tell('wait')} />}
      {imports?.length === 0 && <Text>{say('none')}</Text>}
      {imports !== undefined && imports.length > 0 && (
        <ImportTable
          imports={imports}
          onUndo={session.scopes.includes('write') ? (id) => undoing.mutate(id) : undefined}
          isBusy={undoing.isPending}
        />
      )}
    </Stack>
  );
}

interface ImportTableProps {
  readonly imports: readonly Import[];
  readonly onUndo: ((id: string) => void) | undefined;
  readonly isBusy: boolean;
}

function ImportTable({ imports, onUndo, isBusy }: ImportTableProps) {
  const say = useViewTexts(importTexts);
  const toMoment = useMoments();
  return (
    <Listing
      heads={[
        say('file'),
        say('began'),
        say('state'),
        say('conversations'),
        say('saved'),
        say('failed'),
        onUndo !== undefined && say('back'),
      ]}
    >
      {imports.map((one) => (
        <Table.Tr key={one.id}>
          <Table.Th scope="row" className="words">
            {one.sources.join('\n')}
          </Table.Th>
          <Table.Td className="moment">{toMoment(one.started_at)}</Table.Td>
          <Table.Td>
            <State one={one} />
          </Table.Td>
          <Table.Td>{one.conversations}</Table.Td>
          <Table.Td>{one.saved}</Table.Td>
          <Table.Td>
            <Failures one={one} />
          </Table.Td>
          {onUndo !== undefined && (
            <Table.Td>
              {one.state !== 'undone' && (
                <Button
                  variant="default"
                  disabled={isBusy}
                  aria-label={say('backNamed', { file: one.sources.join(', ') })}
                  onClick={() => onUndo(one.id)}
                >
                  {say('back')}
                </Button>
              )}
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </Listing>
  );
}

function State({ one: { state, progress } }: { readonly one: Import }) {
  const say = useViewTexts(importTexts);
  if (progress === undefined) return <>{say(state)}</>;
  const { done, total } = progress;
  return (
    <>
      <Text>{say('progress', { done, total })}</Text>
      <Progress value={(100 * done) / Math.max(1, total)} aria-label={say('running')} />
    </>
  );
}

function Failures({ one: { failed, failures } }: { readonly one: Import }) {
  const say = useViewTexts(importTexts);
  if (failed === 0) return <>0</>;
  return (
    <details>
      <summary>{say('why', { count: failed })}</summary>
      {failures.map(({ title, reason }) => (
        <Text key={`${title} ${reason}`} className="words">
          {title}: {reason}
        </Text>
      ))}
    </details>
  );
}
