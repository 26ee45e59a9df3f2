import { Button, Group, NativeSelect, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Disclosure } from '../shell/disclosure.tsx';
import { type Kind, kinds, toDay } from './memory.ts';
import { Presets } from './presets.tsx';
import { readSearch } from './read-search.ts';
import { isNarrowed, type MemoriesRequest } from './use-memories.ts';

interface FiltersProps {
  readonly request: MemoriesRequest;
  /** What stands in the field for searching at first. */
  readonly asked: string;
  readonly onChange: (request: MemoriesRequest) => void;
}

const orAbsent = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const toKind = (text: string): Kind | undefined => kinds.find((kind) => kind === text);

/** What is looked for, and what is left out: by kind, tag and days. */
export function Filters({ request, asked, onChange }: FiltersProps) {
  const { tell } = useTexts();
  const [query, setQuery] = useState(asked);
  const [tag, setTag] = useState(request.tag ?? '');
  const narrow = (): void => onChange({ ...request, tag: orAbsent(tag) });
  /** A time that stands in the field takes the place of the days; the words of the last search take theirs away again. */
  const search = async (): Promise<void> => {
    const { when, inOtherYears, from, to, ...others } = request;
    const days = when === undefined ? { from, to } : {};
    onChange({ ...others, ...days, tag: orAbsent(tag), ...(await readSearch(query.trim())) });
  };
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void search();
        }}
      >
        <Group align="end">
          <TextInput
            type="search"
            className="wide-field"
            label={tell('memories.search')}
            placeholder={tell('memories.searchHint')}
            maxLength={1_000}
            value={query}
            onChange={({ currentTarget: { value } }) => {
              setQuery(value);
              if (value === '') onChange(toUnasked(request));
            }}
          />
          <Button type="submit">{tell('memories.search')}</Button>
        </Group>
        <Presets
          isNarrowed={isNarrowed(request)}
          onChange={(preset) => {
            setQuery('');
            setTag('');
            onChange(preset);
          }}
        />
        <When request={request} onChange={() => onChange({ ...toUnasked(request), query: query.trim() })} />
        <Disclosure label={tell('memories.narrow')}>
          <Group align="end">
            <NativeSelect
              label={tell('memories.kind')}
              value={request.kind ?? ''}
              onChange={({ currentTarget: { value } }) => onChange({ ...request, kind: toKind(value) })}
              data={[
                { value: '', label: tell('memories.all') },
                ...kinds.map((value) => ({ value, label: tell(`kind.${value}`) })),
              ]}
            />
            <TextInput
              className="short-field"
              label={tell('memories.tag')}
              maxLength={200}
              value={tag}
              onChange={({ currentTarget }) => setTag(currentTarget.value)}
              onBlur={() => orAbsent(tag) !== request.tag && narrow()}
            />
            <Day
              label={tell('memories.from')}
              value={request.from}
              onChange={(from) => onChange({ ...toDated(request), from })}
            />
            <Day
              label={tell('memories.to')}
              value={request.to}
              onChange={(to) => onChange({ ...toDated(request), to })}
            />
          </Group>
        </Disclosure>
      </form>
    </search>
  );
}

/** Without what the field for searching said, its time included. */
function toUnasked({ when, inOtherYears, from, to, ...others }: MemoriesRequest): MemoriesRequest {
  return { ...others, query: '', ...(when === undefined && { from, to }) };
}

/** With days that are chosen one by one. */
const toDated = ({ when, inOtherYears, ...others }: MemoriesRequest): MemoriesRequest => others;

/** Which days the words of a search were taken for, and the way back where they meant none. */
function When({
  request: { when, from, to },
  onChange,
}: {
  readonly request: MemoriesRequest;
  readonly onChange: () => void;
}) {
  const { tell, language } = useTexts();
  if (when === undefined) return null;
  const toText = (day: string | undefined): string =>
    day === undefined ? '…' : (toDay(`${day}T12:00`, language) ?? day);
  return (
    <Group gap="xs" role="status">
      <Text size="sm" className="words">
        {tell('memories.when', { when, from: toText(from), to: toText(to) })}
      </Text>
      <Button size="compact-sm" variant="default" onClick={onChange}>
        {tell('memories.anyTime')}
      </Button>
    </Group>
  );
}

interface DayProps {
  readonly label: string;
  readonly value: string | undefined;
  readonly onChange: (day: string | undefined) => void;
}

function Day({ label, value = '', onChange }: DayProps) {
  return (
    <TextInput
      type="date"
      min="0001-01-01"
      max="9999-12-31"
      label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(orAbsent(currentTarget.value))}
    />
  );
}
