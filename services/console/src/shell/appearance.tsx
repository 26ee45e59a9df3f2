import { type MantineColorScheme, NativeSelect, useMantineColorScheme } from '@mantine/core';
import { type Language, languages } from '../i18n/languages.ts';
import { useTexts } from '../i18n/texts.tsx';

/** Chooses the language and the theme. */
export function Appearance() {
  const { tell, language, change } = useTexts();
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <NativeSelect
        aria-label={tell('language')}
        data={Object.entries(languages).map(([value, label]) => ({ value, label }))}
        value={language}
        onChange={({ currentTarget }) => change(currentTarget.value as Language)}
      />
      <NativeSelect
        aria-label={tell('theme')}
        data={(['auto', 'light', 'dark'] as const).map((value) => ({ value, label: tell(`theme.${value}`) }))}
        value={colorScheme}
        onChange={({ currentTarget }) => setColorScheme(currentTarget.value as MantineColorScheme)}
      />
    </>
  );
}
