import type { retractionKeys } from '@contextloom/contracts';
import { Button, Group, Table, Text, Title } from '@mantine/core';
import { useServer } from '../../calls/session.tsx';
import { useTexts } from '../../i18n/texts.tsx';
import { toDay, toEditable } from '../memory.ts';
import { toFields, toTexts, type WholeMemory } from './use-whole.ts';

const MOST_TAGS = 100;
const MOST_FIELDS = 100;
const MOST_CHARACTERS = 2_000;
/** What is shown in a way of its own, or says the text again. */
const SHOWN_ELSEWHERE = new Set(['metadata', 'tags', 'versions', 'history', 'description', 'value', 'id', 'key']);

const toText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

/** Where a corrected note keeps what had been read. */
const READ: (typeof retractionKeys)['said'] = 'retracted_content';

interface OriginProps {
  readonly whole: WholeMemory;
  /** Given an earlier text that is to hold again; undefined where the reader changes nothing. */
  readonly onRestore: ((text: string) => void) | undefined;
}

/** What the store says of a memory, and the values that it had before. */
export function Origin({ whole, onRestore }: OriginProps) {
  const { id, store, time, details } = whole;
  const { tell, language } = useTexts();
  const { session } = useServer();
  const tags = toTexts(details['tags']);
  const metadata = toFields(details['metadata']);
  const own = Object.entries(details).filter(([name, value]) => !SHOWN_ELSEWHERE.has(name) && value !== null);
  const fields = [
    [tell('memory.store'), store],
    [tell('memory.time'), toDay(time, language) ?? tell('memories.undated')],
    [tell('memory.id'), id],
    ...(tags.length > 0 ? [[tell('memory.tags'), toShort(tags)]] : []),
    ...[...Object.entries(metadata), ...own].slice(0, MOST_FIELDS).map(([name, value]) => [name, toText(value)]),
  ];
  return (
    <>
      <Text>
        {tell('memory.time')}: {toDay(time, language) ?? tell('memories.undated')}
      </Text>
      <History versions={toVersions(whole)} onRestore={onRestore} />
      {session.users === 'all' && <Fields fields={fields} />}
    </>
  );
}

/** What a memory said before, and until when. */
interface Version {
  readonly text: string;
  readonly until: string | undefined;
}

/** What a memory said before it said what it says now, newest first: values of the profile, or what had been read of a corrected note. */
function toVersions(whole: WholeMemory): readonly Version[] {
  const { details } = whole;
  const versions = details['versions'] ?? details['history'];
  const earlier = Array.isArray(versions) ? versions.map(toFields) : [];
  const replaced = earlier.slice(0, MOST_FIELDS).map(({ value, content, changed_at, replaced_at }) => {
    return { text: toText(value ?? content ?? ''), until: toText(changed_at ?? replaced_at ?? '') };
  });
  const { [READ]: read } = toFields(details['metadata']);
  const all = typeof read === 'string' ? [...replaced, { text: read, until: undefined }] : replaced;
  return all.filter(({ text }) => text !== toEditable(whole));
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

/** What a memory said before, each to hold again. */
function History({ versions, onRestore }: { readonly versions: readonly Version[] } & Pick<OriginProps, 'onRestore'>) {
  const { tell, language } = useTexts();
  if (versions.length === 0) return null;
  return (
    <>
      <Title order={3} size="h5">
        {tell('memory.history')}
      </Title>
      {versions.map(({ text, until }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two versions may be alike
        <Group key={at} justify="space-between" wrap="nowrap">
          <Text className="words">
            {until === undefined ? '' : `${toDay(until, language) ?? ''}: `}
            {text === '' ? '–' : text}
          </Text>
          {onRestore !== undefined && text !== '' && (
            <Button variant="default" flex="none" onClick={() => onRestore(text)}>
              {tell('memory.restore')}
            </Button>
          )}
        </Group>
      ))}
    </>
  );
}
