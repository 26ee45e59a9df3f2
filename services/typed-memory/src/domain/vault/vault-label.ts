const MAX_LENGTH = 200;
/** Shorter words say little, even of a password. */
const LEAST_TELLING = 4;

/** Longer texts cannot stand in a label, and normalising takes more than linear time over the marks on a letter; in UTF-16 code units. */
const MAX_COMPARED = 1_000;

const toPlain = (text: string): string => text.normalize('NFKC').toLowerCase();

/** Words of a secret that may be the secret: with digits or signs in them, or in capitals after small letters. */
function tellingWords(secret: string): readonly string[] {
  return secret
    .split(/[\s,，;；。:：]+/u)
    .filter((word) => word.length >= LEAST_TELLING && word.length <= MAX_COMPARED)
    .map((word) => word.normalize('NFKC'))
    .filter((word) => /[^\p{L}]/u.test(word) || /\p{Ll}\p{Lu}/u.test(word));
}

const NEUTRAL = /^Vault item of \d{4}-\d\d-\d\d$/u;

/** Whether a label tells nothing of its item but the day on which it was stored. */
export const isNeutralLabel = (label: string): boolean => NEUTRAL.test(label);

/** What people keep of each other and of accounts: how a text names it, and what its item is called in English and Chinese. */
const kinds: readonly (readonly [named: RegExp, english: string, chinese: string])[] = [
  [/\b(?:phone|mobile|telephone|tel|cell)\b|电话|手机/iu, 'phone number', '电话 手机号'],
  [/\be-?mail\b|\S@\S|邮箱|电子邮件/iu, 'email address', '邮箱'],
  [/\b(?:street|avenue|postcode|zip code|home address|lives at)\b|地址|住址/iu, 'address', '地址'],
  [/\bwechat\b|微信/iu, 'WeChat', '微信'],
  [/\bpass(?:word|code|phrase)s?\b|密码|口令/iu, 'password', '密码'],
  [/\bPIN\b/u, 'PIN', 'PIN'],
  [/\bwi-?fi\b|无线网/iu, 'Wi-Fi', 'Wi-Fi 无线网'],
  [/\bpassport\b|护照/iu, 'passport', '护照'],
  [/\b(?:identity card|id card|national id|social security)\b|身份证/iu, 'identity card', '身份证'],
  [/\b(?:iban|bank account|account number|sort code)\b|银行账号|银行帐号/iu, 'bank account', '银行账号'],
  [/\b(?:credit|debit|bank) card\b|\bcvv\b|银行卡|信用卡/iu, 'bank card', '银行卡'],
  [/\bapi[ _-]?key\b|\btoken\b|密钥/iu, 'API key', '密钥'],
  [/\b(?:driving|driver's) licen[cs]e\b|驾照|驾驶证/iu, "driver's licence", '驾照'],
];

/** What kinds of things a secret is of, in words of ours alone: none of the secret's own. */
function toKinds(secret: string): string {
  const text = secret.slice(0, MAX_COMPARED).normalize('NFKC');
  const isChinese = /\p{Script=Han}/u.test(text);
  return kinds
    .filter(([named]) => named.test(text))
    .map(([, english, chinese]) => (isChinese ? chinese : english))
    .join(', ');
}

/** What a vault item is listed and found by: its context, unless that tells of the secret; else what kind of thing it is, else its date. */
export function toVaultLabel(secret: string, context: string | undefined, now: Date): string {
  const tells = (label: string): boolean => {
    const plain = toPlain(label);
    const isWhole = secret.length <= MAX_COMPARED && plain.includes(toPlain(secret).trim());
    return isWhole || tellingWords(secret).some((word) => plain.includes(toPlain(word)));
  };
  const label = context?.replace(/\s+/gu, ' ').trim().slice(0, MAX_LENGTH) ?? '';
  if (label !== '' && !tells(label)) return label;
  const neutral = `Vault item of ${now.toISOString().slice(0, 10)}`;
  const kind = toKinds(secret);
  return kind === '' || tells(kind) ? neutral : kind;
}
