const NAMED: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' };

function toCharacter(code: number): string {
  return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : '\uFFFD';
}

/** The words of a piece of HTML: tags are left out, blocks and breaks become lines, entities become their characters. */
export function toHtmlText(html: string): string {
  return html
    .replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr|\/pre)\b[^<>]*>/giu, '\n')
    .replace(/<li\b[^<>]*>/giu, '- ')
    .replace(/<[a-z/!][^<>]*>/giu, '')
    .replace(
      /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]{2,8}));/giu,
      (all, decimal?: string, hex?: string, name?: string) => {
        if (decimal !== undefined) return toCharacter(Number(decimal));
        if (hex !== undefined) return toCharacter(Number.parseInt(hex, 16));
        return NAMED[(name ?? '').toLowerCase()] ?? all;
      },
    )
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/gu, '\n\n')
    .trim();
}
