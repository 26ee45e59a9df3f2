const CHINESE_DIGITS: Readonly<Record<string, number>> = {
  零: 0,
  〇: 0,
  一: 1,
  二: 2,
  两: 2,
  三: 3,
  四: 4,
  五: 5,
  六: 6,
  七: 7,
  八: 8,
  九: 9,
  俩: 2,
  仨: 3,
};
const CHINESE_UNITS: Readonly<Record<string, number>> = { 十: 10, 百: 100, 千: 1_000 };

/** The value of a Chinese numeral: `二十三`, `两百五`, `一千零八`, and digit by digit `二〇二三`. */
export function parseChineseNumeral(text: string): number | undefined {
  const characters = [...text];
  if (characters.every((character) => character in CHINESE_DIGITS)) {
    return Number(characters.map((character) => CHINESE_DIGITS[character]).join(''));
  }
  let [total, section, digit, unit] = [0, 0, 0, 1];
  for (const character of characters) {
    const value = CHINESE_DIGITS[character];
    const scale = character === '万' ? 10_000 : character === '亿' ? 1e8 : undefined;
    if (value !== undefined) digit = value;
    else if (scale !== undefined) {
      total += (section + digit || 1) * scale;
      [section, digit] = [0, 0];
    } else {
      unit = CHINESE_UNITS[character] ?? 1;
      section += (digit === 0 ? 1 : digit) * unit;
      digit = 0;
    }
    if (scale !== undefined) unit = scale;
  }
  // 两百五 is 250; 两百零五 is 205.
  const isShort = digit > 0 && unit >= 100 && !/[零〇].$/u.test(text);
  return total + section + (isShort ? digit * (unit / 10) : digit);
}
