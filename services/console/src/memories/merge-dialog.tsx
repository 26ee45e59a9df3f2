import { Button, Group, Modal, Stack, Text, Textarea } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../calls/session.tsx';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { Problem } from '../shell/problem.tsx';
import { useWhole } from './details/use-whole.ts';
import { type Memory, splitId, toEditable } from './memory.ts';
import { MEMORIES } from './use-memories.ts';

interface MergeProps {
  /** The one that stays, and the one that goes. */
  readonly pair: readonly [Memory, Memory];
  /** The id of the one that goes, and what gives the other its text back. */
  readonly onMerged: (gone: string, onUndo: () => Promise<unknown>) => void;
  readonly onClose: () => void;
}

/** Makes one memory of two. */
export default function MergeDialog({ pair: [first, second], onMerged, onClose }: MergeProps) {
  const { tell } = useTexts();
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const [wholeFirst, wholeSecond] = [useWhole(first.id), useWhole(second.id)];
  const toText = (memory: Memory, whole = ''): string => toEditable({ ...memory, text: whole });
  const before = toText(first, wholeFirst.data?.text);
  // What was read before may be changed since: it would be replaced below the hands of who types.
  const isRead = [wholeFirst, wholeSecond].every(({ isSuccess, isFetching }) => isSuccess && !isFetching);
  const [typed, setTyped] = useState<string>();
  const text = typed ?? toMerged(before, toText(second, wholeSecond.data?.text));
  const merging = useMutation({
    mutationFn: async () => {
      const address = { user_id: user, id: first.id };
      await call('update_memory', { ...address, text });
      return () => call('update_memory', { ...address, text: before });
    },
    onSuccess: async (undo) => {
      await client.invalidateQueries({ queryKey: [MEMORIES] });
      onMerged(second.id, undo);
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      title={tell('memories.merge')}
      closeButtonProps={{ 'aria-label': tell('close') }}
      size="lg"
    >
      <Stack>
        <Text>{tell('memories.mergeText')}</Text>
        {[first, second].map((memory, at) => (
          <Text key={memory.id} className="words clip">
            {at + 1}. {tell(`kind.${splitId(memory.id).kind}`)}: {memory.text}
          </Text>
        ))}
        <Textarea
          label={tell('memories.merged')}
          classNames={{ input: 'words' }}
          rows={6}
          value={isRead ? text : ''}
          readOnly={!isRead}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Problem error={merging.error ?? wholeFirst.error ?? wholeSecond.error} />
        <Group>
          <Button onClick={() => merging.mutate()} loading={merging.isPending} disabled={!isRead || text.trim() === ''}>
            {tell('save')}
          </Button>
          <Button variant="default" onClick={onClose}>
            {tell('cancel')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** Both texts, or the one that says all of the other. */
function toMerged(first: string, second: string): string {
  if (first.includes(second)) return first;
  return second.includes(first) ? second : `${first}\n${second}`;
}
