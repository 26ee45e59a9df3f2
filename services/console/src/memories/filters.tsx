import { Button, Group, NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../i18n/texts.tsx';
import { Disclosure } from '../shell/disclosure.tsx';
import { type Kind, kinds } from './memory.ts';
import { isNarrowed, type MemoriesRequest } from './use-memories.ts';

interface FiltersProps {
  readonly request: MemoriesRequest;
  readonly onChange: (request: MemoriesRequest) => void;
}

const orAbsent = (text: string): string | undefined => (text.trim() === '' ? undefined : text.trim());
const toKind = (text: string): Kind | undefined => kinds.find((kind) => kind === text);

/** What is looked for, and what is left out: by kind, tag and days. */
export function Filters({ request, onChange }: FiltersProps) {
  const { tell } = useTexts();
  const [query, setQuery] = useState(request.query);
  const [tag, setTag] = useState(request.tag ?? '');
  const send = (): void => onChange({ ...request, query: query.trim(), tag: orAbsent(tag) });
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          send();
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
              if (value === '') onChange({ ...request, query: '' });
            }}
          />
          <Button type="submit">{tell('memories.search')}</Button>
          {isNarrowed(request) && (
            <Button
              variant="default"
              onClick={() => {
                setQuery('');
                setTag('');
                onChange({ query: '' });
              }}
            >
              {tell('memories.clear')}
            </Button>
          )}
        </Group>
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
              onBlur={() => orAbsent(tag) !== request.tag && send()}
            />
            <Day
              label={tell('memories.from')}
              value={request.from}
              onChange={(from) => onChange({ ...request, from })}
            />
            <Day label={tell('memories.to')} value={request.to} onChange={(to) => onChange({ ...request, to })} />
          </Group>
        </Disclosure>
      </form>
    </search>
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
