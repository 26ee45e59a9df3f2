import { Button, Drawer, Group, Loader, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../../calls/session.tsx';
import { useUser } from '../../calls/user.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { Problem } from '../../shell/problem.tsx';
import { type Memory, toEditable } from '../memory.ts';
import { MEMORIES } from '../use-memories.ts';
import { Conversation } from './conversation.tsx';
import { Decisions } from './decisions.tsx';
import { Links } from './links.tsx';
import { Origin } from './origin.tsx';
import { useWhole } from './use-whole.ts';

interface DetailsProps {
  readonly memory: Memory;
  readonly mayWrite: boolean;
  readonly onDelete: () => void;
  readonly onClose: () => void;
}

/** One memory: its text to correct, where it was said, what was drawn from it, decided about it, and what it said before. */
export default function MemoryDetails({ memory, mayWrite, onDelete, onClose }: DetailsProps) {
  const { tell } = useTexts();
  const { data: whole, error, isPending } = useWhole(memory.id);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size="lg"
      title={tell('memory.title')}
      closeButtonProps={{ 'aria-label': tell('close') }}
    >
      <Stack>
        <Problem error={error} />
        <Editor
          memory={{ ...memory, text: whole?.text ?? memory.text }}
          mayWrite={mayWrite && whole !== undefined}
          onDelete={onDelete}
          onSaved={onClose}
        />
        {isPending && <Loader aria-label={tell('wait')} />}
        {whole !== undefined && (
          <>
            <Conversation whole={whole} />
            <Decisions text={whole.text} mayWrite={mayWrite} />
            <Links whole={whole} />
            <Origin whole={whole} />
          </>
        )}
      </Stack>
    </Drawer>
  );
}

function Editor({
  memory,
  mayWrite,
  onDelete,
  onSaved,
}: Omit<DetailsProps, 'onClose'> & { readonly onSaved: () => void }) {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const saving = useMutation({
    mutationFn: (text: string) => call('update_memory', { user_id: user, id: memory.id, text }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: [MEMORIES] });
      onSaved();
    },
  });
  return (
    <>
      <Textarea
        label={tell('memory.text')}
        classNames={{ input: 'words' }}
        rows={8}
        value={typed ?? toEditable(memory)}
        readOnly={!mayWrite}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
      <Problem error={saving.error} />
      {mayWrite && (
        <Group>
          <Button
            onClick={() => typed !== undefined && saving.mutate(typed)}
            loading={saving.isPending}
            disabled={typed === undefined || typed.trim() === ''}
          >
            {tell('save')}
          </Button>
          <Button color="red" variant="outline" onClick={onDelete}>
            {tell('delete')}
          </Button>
        </Group>
      )}
    </>
  );
}
