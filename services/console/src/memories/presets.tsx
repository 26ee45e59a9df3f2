import { Button } from '@mantine/core';
import { useTexts } from '../i18n/texts.tsx';
import { toIsoDay, toMonth } from './days.ts';
import { readSearch } from './read-search.ts';
import type { MemoriesRequest } from './use-memories.ts';

interface PresetsProps {
  /** Whether anything is left out, and can be shown again. */
  readonly isNarrowed: boolean;
  readonly onChange: (request: MemoriesRequest) => void;
}

/** Times that people look for often, each a button; where less than all is shown, all of it comes first. */
export function Presets({ isNarrowed, onChange }: PresetsProps) {
  const { tell } = useTexts();
  const now = new Date();
  const today = toIsoDay(now);
  const show = (when: string, days: Pick<MemoriesRequest, 'from' | 'to'>): void =>
    onChange({ query: '', when, ...days });
  const presets: readonly (readonly [string, () => void])[] = [
    ...(isNarrowed ? [[tell('memories.clear'), () => onChange({ query: '' })] as const] : []),
    [tell('memories.today'), () => show(tell('memories.today'), { from: today, to: today })],
    [tell('memories.thisMonth'), () => show(tell('memories.thisMonth'), toMonth(now))],
    [
      tell('memories.lastSummer'),
      () => void readSearch('last summer', now).then(({ from, to }) => show(tell('memories.lastSummer'), { from, to })),
    ],
    [tell('memories.otherYears'), () => onChange({ query: '', inOtherYears: today })],
  ];
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame and a legend of its own
    <div className="presets" role="group" aria-label={tell('memories.presets')}>
      {presets.map(([label, onClick]) => (
        <Button key={label} size="compact-sm" variant="default" onClick={onClick}>
          {label}
        </Button>
      ))}
    </div>
  );
}
