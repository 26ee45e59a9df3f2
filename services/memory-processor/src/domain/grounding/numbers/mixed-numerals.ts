/** Figures with Chinese units in a row, the larger unit first: 1亿5000万, 3万5千, 2千3百. */
const MIXED = /\d{1,12}(?:\.\d{1,6})?\s*[亿万千百]\s*(?:零?\d{1,12}\s*[万千百十]{1,2}\s*)+\d{0,4}/gu;
const SCALES: Readonly<Record<string, number>> = { 千: 1_000, 百: 100, 十: 10 };

/** What stands before 万 or after it: 5000, 5千, 2千3百. */
function toSection(text: string): number {
  return [...text.matchAll(/(\d+(?:\.\d+)?)\s*([千百十]?)/gu)].reduce(
    (sum, [, count = '', unit = '']) => sum + Number(count) * (SCALES[unit] ?? 1),
    0,
  );
}

function toNumber(text: string): number {
  const hundredMillions = text.lastIndexOf('亿');
  const rest = text.slice(hundredMillions + 1);
  const tenThousands = rest.lastIndexOf('万');
  return (
    toSection(text.slice(0, Math.max(0, hundredMillions))) * 1e8 +
    toSection(rest.slice(0, Math.max(0, tenThousands))) * 1e4 +
    toSection(rest.slice(tenThousands + 1))
  );
}

/** A text with figures and Chinese units in a row as one number in figures: 1亿5000万 as 150000000. */
export function joinMixedNumerals(text: string): string {
  return text.replace(MIXED, (shown) => String(toNumber(shown)));
}
