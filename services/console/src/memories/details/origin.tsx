import { Table, Text, Title } from '@mantine/core';
import { useServer } from '../../calls/session.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { toDay } from '../memory.ts';
import { toFields, toTexts, type WholeMemory } from './use-whole.ts';

const MOST_TAGS = 100;
const MOST_FIELDS = 100;
const MOST_CHARACTERS = 2_000;
/** What is shown in a way of its own, or says the text again. */
const SHOWN_ELSEWHERE = new Set(['metadata', 'tags', 'versions', 'history', 'description', 'value', 'id', 'key']);

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** What the store says of a memory, and the values that it had before. */
export function Origin({ whole: { id, store, time, details } }: { readonly whole: WholeMemory }) {
  const { tell, language } = useTexts();
  const { session } = useServer();
  const tags = toTexts(details['tags']);
  const own = Object.entries(details).filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && value !== null);
  const fields = [
    [tell('memory.store'), store],
    [tell('memory.time'), toDay(time, language) ?? tell('memories.undated')],
    [tell('memory.id'), id],
    ...(tags.length > 0 ? [[tell('memory.tags'), toShort(tags)]] : []),
    ...[...Object.entries(toFields(details['metadata'])), ...own]
      .slice(0, MOST_FIELDS)
      .map(([name, value]) => [name, toText(value)]),
  ];
  return (
    <>
      <Text>
        {tell('memory.time')}: {toDay(time, language) ?? tell('memories.undated')}
      </Text>
      <History versions={details['versions'] ?? details['history']} />
      {session.users === 'all' && <Fields fields={fields} />}
    </>
  );
}

/** What the store says of it, for those who run the servers. */
function Fields({ fields }: { readonly fields: readonly (readonly string[])[] }) {
  const { tell } = useTexts();
  return (
    <details>
      <summary>{tell('memory.source')}</summary>
      <Table layout="fixed">
        <Table.Tbody>
          {fields.map(([name = '', value = ''], at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: metadata may have the name of a field
            <Table.Tr key={at}>
              <Table.Th scope="row" className="words" w="35%">
                {name.slice(0, MOST_CHARACTERS)}
              </Table.Th>
              <Table.Td className="words">{value.slice(0, MOST_CHARACTERS)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </details>
  );
}

const toShort = (tags: readonly string[]): string =>
  tags.slice(0, MOST_TAGS).join(', ') + (tags.length > MOST_TAGS ? ` … (${tags.length})` : '');

/** The values that a memory had before, newest first. */
function History({ versions }: { readonly versions: unknown }) {
  const { tell, language } = useTexts();
  const earlier = Array.isArray(versions) ? versions.map(toFields) : [];
  if (earlier.length === 0) return null;
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.history')}
      </Title>
      {earlier.slice(0, MOST_FIELDS).map(({ value, content, changed_at, replaced_at }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two versions may be alike
        <Text key={at} className="words">
          {toDay(toText(changed_at ?? replaced_at ?? ''), language)}: {toText(value ?? content ?? '–')}
        </Text>
      ))}
    </>
  );
}
