import { Title } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';
import type { Voice } from '../memories/conversation-text.ts';
import { toHash } from '../route.ts';

const MOST_VOICES = 50;

/** Who speaks in conversations, each leading to what was said. */
export function Voices({ voices }: { readonly voices: readonly Voice[] }) {
  const { tell } = useTexts();
  return (
    <section>
      <Title order={2} size="h5">
        {tell('things.voices')}
      </Title>
      <ul className="names">
        {voices.slice(0, MOST_VOICES).map(({ name, count }) => (
          <li key={name}>
            <a className="words" href={toHash('memories', { query: name })}>
              {tell('things.voice', { name, count })}
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
