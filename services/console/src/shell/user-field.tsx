import { NativeSelect, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useUser } from '../calls/user.tsx';
import { useTexts } from '../i18n/texts.tsx';

/** Chooses whose memory is shown: any user, or one of those that the key is for. */
export function UserField() {
  const { tell } = useTexts();
  const { user, choose, known, isOpen } = useUser();
  const [typed, setTyped] = useState<string>();
  if (!isOpen) {
    return (
      <NativeSelect
        aria-label={tell('user')}
        data={[...known]}
        value={user}
        onChange={({ currentTarget }) => choose(currentTarget.value)}
      />
    );
  }
  const leave = (): void => {
    const name = typed?.trim();
    if (name !== undefined && name !== '' && name !== user) choose(name);
    setTyped(undefined);
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        leave();
      }}
    >
      <TextInput
        aria-label={tell('user')}
        leftSection="@"
        list="known-users"
        autoComplete="off"
        maxLength={256}
        value={typed ?? user}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        onBlur={leave}
      />
      <datalist id="known-users">
        {known.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </form>
  );
}
