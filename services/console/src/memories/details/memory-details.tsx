import { Button, Drawer, Group, List, Loader, Stack, Text, Textarea, Title } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useServer } from '../../calls/session.tsx';
import { useUser } from '../../calls/user.tsx';
import { useDecisions } from '../../decisions/use-decisions.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { toHash } from '../../route.ts';
import { Problem } from '../../shell/problem.tsx';
import { useEntities } from '../../things/use-entities.ts';
import { toConversation } from '../conversation-text.ts';
import { type Memory, splitId, toEditable } from '../memory.ts';
import { Bubbles } from '../memory-words.tsx';
import { MEMORIES } from '../use-memories.ts';
import { Conversation } from './conversation.tsx';
import { Origin } from './origin.tsx';
import { toTexts, useWhole, type WholeMemory } from './use-whole.ts';

/** The people and things that a memory is about; nothing where it names none. */
function Links({ whole }: { readonly whole: WholeMemory }) {
  const { kind, own } = splitId(whole.id);
  const ids = kind === 'entity' ? [own] : toTexts(whole.details['related_entity_ids']);
  return ids.length === 0 ? null : <EntityLinks ids={ids} />;
}

function EntityLinks({ ids }: { readonly ids: readonly string[] }) {
  const { tell } = useTexts();
  const { data: entities = [] } = useEntities();
  const nameOf = (id: string): string => entities.find((one) => String(one.id) === id)?.name ?? id;
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.links')}
      </Title>
      <List>
        {ids.map((id) => (
          <List.Item key={id} className="words">
            <a href={toHash('things', { entity: id })}>{nameOf(id)}</a>
          </List.Item>
        ))}
      </List>
    </>
  );
}

/** What was decided about a fact, each to be taken back; nothing where nothing was. */
function Decisions({ text, mayWrite }: { readonly text: string; readonly mayWrite: boolean }) {
  const { tell } = useTexts();
  const { result, undoing } = useDecisions();
  const own = (result.data?.decisions ?? []).filter(({ fact, known }) => fact === text || known === text);
  if (own.length === 0) return null;
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.decisions')}
      </Title>
      <Problem error={undoing.error} />
      {own.map(({ id, fact, relation, known, decided_by, undone_at }) => (
        <Group key={id} justify="space-between" wrap="nowrap">
          <Text className="words">
            {fact} – {tell(`relation.${relation}`)} – {known} ({decided_by})
          </Text>
          {undone_at !== undefined && <Text>{tell('decisions.undone')}</Text>}
          {undone_at === undefined && mayWrite && (
            <Button variant="default" onClick={() => undoing.mutate(id)}>
              {tell('undo')}
            </Button>
          )}
        </Group>
      ))}
    </>
  );
}

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
  const current = { ...memory, text: whole?.text ?? memory.text };
  const correcting = useCorrecting(current, (onUndo) => {
    onCorrected(onUndo);
    onClose();
  });
  const mayChange = mayWrite && whole !== undefined;
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
        <Editor memory={current} correcting={correcting} mayWrite={mayChange} onDelete={onDelete} />
        {isPending && <Loader aria-label={tell('wait')} />}
        {whole !== undefined && (
          <>
            <Conversation whole={whole} />
            <Decisions text={whole.text} mayWrite={mayWrite} />
            <Links whole={whole} />
            <Origin whole={whole} onRestore={mayWrite ? correcting.mutate : undefined} />
          </>
        )}
      </Stack>
    </Drawer>
  );
}

/** Changes what a memory says; `onDone` is given what takes that back. */
function useCorrecting(memory: Memory, onDone: (onUndo: () => Promise<unknown>) => void) {
  const { call } = useServer();
  const { user } = useUser();
  const client = useQueryClient();
  const update = (text: string) => call('update_memory', { user_id: user, id: memory.id, text });
  return useMutation({
    mutationFn: update,
    onSuccess: async () => {
      onDone(() => update(toEditable(memory)));
      await client.invalidateQueries({ queryKey: [MEMORIES] });
    },
  });
}

interface EditorProps extends Pick<DetailsProps, 'memory' | 'mayWrite' | 'onDelete'> {
  readonly correcting: ReturnType<typeof useCorrecting>;
}

function Editor({ memory, correcting, mayWrite, onDelete }: EditorProps) {
  const { tell } = useTexts();
  const [typed, setTyped] = useState<string>();
  const said = toConversation(memory.text);
  const before = toEditable(memory);
  // What was said stays as it was said: what is right stands next to it.
  const shown = typed ?? (said.length > 0 ? '' : before);
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (typed !== undefined && typed.trim() !== '') correcting.mutate(typed);
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
        <Problem error={correcting.error} />
        {mayWrite && (
          <Group>
            <Button
              type="submit"
              loading={correcting.isPending}
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
