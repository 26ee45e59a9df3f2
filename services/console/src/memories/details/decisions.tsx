import { Button, Group, Text, Title } from '@mantine/core';
import { useDecisions } from '../../decisions/use-decisions.ts';
import { useTexts } from '../../i18n/texts.tsx';
import { Problem } from '../../shell/problem.tsx';

/** What was decided about a fact, each to be taken back; nothing where nothing was. */
export function Decisions({ text, mayWrite }: { readonly text: string; readonly mayWrite: boolean }) {
  const { tell } = useTexts();
  const { asked, undoing } = useDecisions();
  const own = (asked.data?.decisions ?? []).filter(({ fact, known }) => fact === text || known === text);
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
