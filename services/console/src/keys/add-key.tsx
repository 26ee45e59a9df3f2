import type { AccessScope } from '@contextloom/contracts';
import { Button, Group, NativeSelect, Paper, Stack, Text, Textarea, TextInput, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { Input } from '../calls/operations.ts';
import { useServer } from '../calls/session.tsx';
import { useTexts } from '../i18n/texts.tsx';
import { useViewTexts } from '../i18n/view-texts.ts';
import { CopyButton } from '../shell/copy-button.tsx';
import { Problem } from '../shell/problem.tsx';
import { keyTexts } from './texts.ts';

const scopes = ['read', 'write', 'admin'] as const satisfies readonly AccessScope[];

interface Fields {
  readonly name: string;
  readonly users: string;
  readonly scope: AccessScope;
  readonly days: string;
}

/** What the form asks of the server: what is left empty is not sent. */
function toRequest({ name, users, scope, days }: Fields): Input<'add_key'> {
  const ids = users.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]));
  return {
    name: name.trim(),
    scopes: [scope],
    ...(ids.length > 0 && { users: ids }),
    ...(days.trim() !== '' && { expires_in_days: Number(days) }),
  };
}

/** Makes a key, and shows its text once. */
export function AddKey({ isFirst, onMade }: { readonly isFirst: boolean; readonly onMade: () => void }) {
  const say = useViewTexts(keyTexts);
  const { tell } = useTexts();
  const { call, signIn } = useServer();
  const empty: Fields = { name: '', users: '', scope: isFirst ? 'admin' : 'write', days: '' };
  const [fields, setFields] = useState(empty);
  const change = (more: Partial<Fields>): void => setFields((before) => ({ ...before, ...more }));
  const adding = useMutation({
    mutationFn: () => call('add_key', toRequest(fields)),
    onSuccess: () => {
      setFields({ ...empty, scope: 'write' });
      onMade();
    },
  });
  if (adding.data !== undefined) {
    const { key, stored } = adding.data;
    return (
      <Paper withBorder p="md">
        <Stack align="start" role="status">
          <Title order={2} size="h4" className="words">
            {say('made', { name: stored.name })}
          </Title>
          <Text>{say('once')}</Text>
          <code className="words">{key}</code>
          <Group>
            <CopyButton text={key} label={tell('copy')} />
            {isFirst && <Button onClick={() => signIn(key)}>{say('use')}</Button>}
          </Group>
        </Stack>
      </Paper>
    );
  }
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        adding.mutate();
      }}
    >
      <Stack align="start">
        <Group align="end">
          <TextInput
            label={say('name')}
            description={say('nameHint')}
            maxLength={64}
            required
            value={fields.name}
            onChange={({ currentTarget: { value } }) => change({ name: value })}
          />
          <NativeSelect
            label={say('scope')}
            data={[
              { value: 'read', label: say('read') },
              { value: 'write', label: say('write') },
              { value: 'admin', label: say('adminScope') },
            ]}
            value={fields.scope}
            onChange={({ currentTarget: { value } }) =>
              change({ scope: scopes.find((one) => one === value) ?? 'read' })
            }
          />
          <TextInput
            label={say('days')}
            description={say('daysHint')}
            inputMode="numeric"
            pattern="[0-9]*"
            value={fields.days}
            onChange={({ currentTarget: { value } }) => change({ days: value })}
          />
        </Group>
        <Textarea
          label={say('users')}
          description={say('usersHint')}
          classNames={{ root: 'wide-field' }}
          value={fields.users}
          onChange={({ currentTarget: { value } }) => change({ users: value })}
        />
        <Problem error={adding.error} />
        <Button type="submit" loading={adding.isPending}>
          {say('add')}
        </Button>
      </Stack>
    </form>
  );
}
