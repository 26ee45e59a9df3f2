/** Regions as ISO 3166-1 codes them, AA to ZZ; those without a name of their own are none. */
function* readRegionNames(language: 'en' | 'zh'): Generator<string> {
  const names = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  for (const first of letters) {
    for (const second of letters) {
      const name = names.of(first + second);
      if (name !== undefined) yield name.toLowerCase();
    }
  }
}

let known: ReadonlySet<string> | undefined;

/** Whether a name is that of a country: one that a fact adds to a place may be right though nobody said it. */
export function isCountry(name: string): boolean {
  known ??= new Set([...readRegionNames('en'), ...readRegionNames('zh'), 'england', 'scotland', 'wales', 'america']);
  return known.has(name.toLowerCase().replace(/['’]s?$/u, ''));
}
