import { Button, Group, Paper, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';

interface UndoBarProps {
  /** What was changed; nothing is shown without it. */
  readonly text: string | undefined;
  readonly onUndo: () => void;
}

/** Says what was changed, for as long as that can be undone. */
export function UndoBar({ text, onUndo }: UndoBarProps) {
  const { tell } = useTexts();
  return (
    <div role="status" className="bar">
      {text !== undefined && (
        <Paper withBorder shadow="md" p="sm">
          <Group justify="space-between">
            <Text>{text}</Text>
            <Button onClick={onUndo}>{tell('undo')}</Button>
          </Group>
        </Paper>
      )}
    </div>
  );
}
