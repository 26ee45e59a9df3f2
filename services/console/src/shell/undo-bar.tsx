import { Button, Group, List, Paper, Text } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';

interface UndoBarProps {
  /** What was changed; nothing is shown without it. */
  readonly text: string | undefined;
  /** What follows from it. */
  readonly more?: { readonly title: string; readonly lines: readonly string[] } | undefined;
  readonly onUndo: () => void;
}

/** Says what was changed, for as long as that can be undone. */
export function UndoBar({ text, more, onUndo }: UndoBarProps) {
  const { tell } = useTexts();
  return (
    <div role="status" className="bar">
      {text !== undefined && (
        <Paper withBorder shadow="md" p="sm">
          <Group justify="space-between">
            <Text>{text}</Text>
            <Button onClick={onUndo}>{tell('undo')}</Button>
          </Group>
          {more !== undefined && (
            <>
              <Text size="sm">{more.title}</Text>
              <List size="sm" className="words">
                {more.lines.map((line) => (
                  <List.Item key={line}>{line}</List.Item>
                ))}
              </List>
            </>
          )}
        </Paper>
      )}
    </div>
  );
}
