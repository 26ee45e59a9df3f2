import { Button, Drawer, Group, Loader, Stack, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../../calls/session.tsx';
import { useUser } from '../../calls/user.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { Problem } from '../../shell/problem.tsx';
import { toConversation } from '../conversation-text.ts';
import { type Memory, toEditable } from '../memory.ts';
import { Bubbles } from '../memory-words.tsx';
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
  /** Given what takes a correction back. */
  readonly onCorrected: (onUndo: () => Promise<unknown>) => void;
  readonly onClose: () => void;
}

/** One memory: its text to correct, where it was said, what was drawn from it, decided about it, and what it said before. */
export default function MemoryDetails({ memory, mayWrite, onDelete, onCorrected, onClose }: DetailsProps) {
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
          onCorrected={onCorrected}
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
  onCorrected,
  onSaved,
}: Omit<DetailsProps, 'onClose'> & { readonly onSaved: () => void }) {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [typed, setTyped] = useState<string>();
  const said = toConversation(memory.text);
  const before = toEditable(memory);
  // What was said stays as it was said: what is right stands next to it.
  const shown = typed ?? (said.length > 0 ? '' : before);
  const update = (text: string) => call('update_memory', { user_id: user, id: memory.id, text });
  const saving = useMutation({
    mutationFn: update,
    onSuccess: async () => {
      onCorrected(() => update(before));
      await client.invalidateQueries({ queryKey: [MEMORIES] });
      onSaved();
    },
  });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== undefined && typed.trim() !== '') saving.mutate(typed);
      }}
    >
      <Stack>
        {said.length > 0 && <Bubbles said={said} />}
        <Textarea
          label={tell(mayWrite ? 'memory.right' : 'memory.text')}
          classNames={{ input: 'words' }}
          rows={shown.length > 200 ? 8 : 2}
          value={shown}
          readOnly={!mayWrite}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Problem error={saving.error} />
        {mayWrite && (
          <Group>
            <Button
              type="submit"
              loading={saving.isPending}
              disabled={typed === undefined || typed.trim() === '' || typed === before}
            >
              {tell('save')}
            </Button>
            <Button color="red" variant="outline" onClick={onDelete}>
              {tell('delete')}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}
