import { Alert, Button, FileButton, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { Problem } from '../shell/problem.tsx';
import { type HandedIn, handIn } from './hand-in.ts';
import { ImportList } from './import-list.tsx';
import { ImportPreview } from './import-preview.tsx';
import { importTexts } from './texts.ts';
import { IMPORTS } from './use-imports.ts';

const toMegabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

/** Hands a file in, shows what is in it, imports it, and lists what was imported. */
export function Imports() {
  const say = useViewTexts(importTexts);
  const { offers, session } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [handed, setHanded] = useState<HandedIn>();
  const [hasBegun, setBegun] = useState(false);
  if (!offers('list_imports')) return <Alert title={say('absent')} />;
  return (
    <Stack>
      <Title order={2} size="h4">
        {say('title')}
      </Title>
      <Text>{say('intro')}</Text>
      {session.scopes.includes('write') && handed === undefined && (
        <DropZone
          onHandedIn={(one) => {
            setHanded(one);
            setBegun(false);
          }}
        />
      )}
      {handed !== undefined && (
        <ImportPreview
          handed={handed}
          onClose={() => setHanded(undefined)}
          onStarted={() => {
            setHanded(undefined);
            setBegun(true);
            void client.invalidateQueries({ queryKey: [IMPORTS, user] });
          }}
        />
      )}
      {hasBegun && <Text role="status">{say('started')}</Text>}
      <ImportList />
    </Stack>
  );
}

function DropZone({ onHandedIn }: { readonly onHandedIn: (handed: HandedIn) => void }) {
  const say = useViewTexts(importTexts);
  const { callServer } = useServer();
  const { user } = useUser();
  const [sent, setSent] = useState(0);
  const ending = useRef(new AbortController());
  useEffect(() => {
    const controller = new AbortController();
    ending.current = controller;
    return () => controller.abort();
  }, []);
  const handing = useMutation({
    mutationFn: (file: File) => {
      setSent(0);
      return handIn(file, {
        send: (piece) => callServer('upload_import', { user_id: user, ...piece }),
        onSent: setSent,
        signal: ending.current.signal,
      });
    },
    onSuccess: onHandedIn,
  });
  const take = (file: File | null): void => {
    if (file !== null && !handing.isPending) handing.mutate(file);
  };
  const total = handing.variables?.size ?? 0;
  return (
    <Paper
      withBorder
      p="md"
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        event.preventDefault();
        take(event.dataTransfer.files.item(0));
      }}
    >
      <Stack>
        <Group>
          <Text>{say('drop')}</Text>
          <FileButton onChange={take}>
            {(props) => (
              <Button {...props} variant="default" loading={handing.isPending}>
                {say('choose')}
              </Button>
            )}
          </FileButton>
        </Group>
        {handing.isPending && (
          <>
            <Progress value={(100 * sent) / Math.max(1, total)} aria-label={say('title')} />
            <Text>{say('sent', { done: toMegabytes(sent), total: toMegabytes(total) })}</Text>
          </>
        )}
        <Problem error={handing.error} />
      </Stack>
    </Paper>
  );
}
