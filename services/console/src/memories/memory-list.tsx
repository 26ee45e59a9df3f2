import { Badge, Checkbox, Group, Text, UnstyledButton } from '@mantine/core';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { toLine } from './conversation-text.ts';
import { type Memory, type Row, splitId, toDay, toRows } from './memory.ts';
import { MemoryWords } from './memory-words.tsx';

const ROW_HEIGHT = 64;
/** How many rows from the end the next page is loaded. */
const READ_AHEAD = 20;

interface ListProps {
  readonly memories: readonly Memory[];
  /** The words to mark. */
  readonly query: string;
  /** Undefined where nothing can be selected. */
  readonly selected: ReadonlySet<string> | undefined;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onOpen: (memory: Memory) => void;
  /** Asks for the next page; undefined where there is none, or it is on its way. */
  readonly onEnd: (() => void) | undefined;
}

/** Lists memories, with as many elements as are seen; a search by score, else below the day of each. */
export function MemoryList({ memories, query, selected, onSelect, onOpen, onEnd }: ListProps) {
  const { language } = useTexts();
  const list = useRef<HTMLUListElement>(null);
  const [top, setTop] = useState(0);
  const rows = useMemo<readonly Row[]>(
    () =>
      query === ''
        ? toRows(memories, language)
        : memories.map((memory) => ({ kind: 'memory', key: memory.id, memory })),
    [memories, query, language],
  );
  // What stands above the list may grow and shrink.
  useLayoutEffect(() => setTop(list.current?.offsetTop ?? 0));
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => document.getElementById('main'),
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (at) => rows[at]?.key ?? at,
    overscan: 8,
    scrollMargin: top,
  });
  const items = virtual.getVirtualItems();
  const last = items.at(-1)?.index ?? 0;
  useEffect(() => {
    if (last >= rows.length - READ_AHEAD) onEnd?.();
  }, [last, rows.length, onEnd]);
  const toggle = (id: string, isOn: boolean): void => {
    const next = new Set(selected);
    if (isOn) next.add(id);
    else next.delete(id);
    onSelect(next);
  };
  return (
    <ul className="memories" ref={list} style={{ height: virtual.getTotalSize() }}>
      {items.map(({ index, start, key }) => {
        const row = rows[index];
        if (row === undefined) return null;
        return (
          <li
            key={key}
            ref={virtual.measureElement}
            data-index={index}
            aria-setsize={rows.length}
            aria-posinset={index + 1}
            style={{ transform: `translateY(${start - virtual.options.scrollMargin}px)` }}
          >
            {row.kind === 'day' ? (
              <Day day={row.day} />
            ) : (
              <MemoryRow
                memory={row.memory}
                query={query}
                isSelected={selected?.has(row.memory.id)}
                onSelect={(isOn) => toggle(row.memory.id, isOn)}
                onOpen={() => onOpen(row.memory)}
              />
            )}
          </li>
        );
      })}
    </ul>
  );
}

function Day({ day }: Pick<Extract<Row, { kind: 'day' }>, 'day'>) {
  const { tell } = useTexts();
  return (
    <Text component="h2" fw={600} size="sm" pt="sm" m={0}>
      {day ?? tell('memories.undated')}
    </Text>
  );
}

interface MemoryRowProps {
  readonly memory: Memory;
  readonly query: string;
  readonly isSelected: boolean | undefined;
  readonly onSelect: (isOn: boolean) => void;
  readonly onOpen: () => void;
}

function MemoryRow({ memory, query, isSelected, onSelect, onOpen }: MemoryRowProps) {
  const { tell, language } = useTexts();
  const { id, text, time } = memory;
  return (
    <div className="memory">
      {isSelected !== undefined && (
        <Checkbox
          aria-label={tell('memories.select', { text: toLine(text).slice(0, 80) })}
          checked={isSelected}
          onChange={({ currentTarget }) => onSelect(currentTarget.checked)}
        />
      )}
      <UnstyledButton onClick={onOpen}>
        <MemoryWords text={text} query={query} />
        <Group component="span" gap="xs" pt={4}>
          <Badge component="span" variant="default">
            {tell(`kind.${splitId(id).kind}`)}
          </Badge>
          {query !== '' && (
            <Text component="span" size="sm">
              {toDay(time, language) ?? tell('memories.undated')}
            </Text>
          )}
        </Group>
      </UnstyledButton>
    </div>
  );
}
