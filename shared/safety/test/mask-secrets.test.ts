import { anyCharacter } from '@contextloom/testing/any-character';
import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { maskSecrets } from '../src/secrets/mask-secrets.ts';

/** What is masked stands between angle brackets, with the first letters of its kind. */
const KINDS = { k: 'key', c: 'card number', i: 'identity number', t: 'phone number', p: 'password' } as const;
type Letter = keyof typeof KINDS;
const MARK = /‹([kcitp]):([^›]*)›/gu;

function toCase(marked: string) {
  const kinds = [...marked.matchAll(MARK)].map(([, letter]) => KINDS[letter as Letter]);
  return {
    text: marked.replace(MARK, '$2'),
    masked: marked.replace(MARK, (_mark, letter: Letter) => `[masked: ${KINDS[letter]}]`),
    kinds,
  };
}

// Assembled, so that scanners of repositories find no keys in here.
const LETTERS = 'Ab3dEf6hIj9lMn2pQr5tUv8xYz1bCd4fGh7jKl0n';
const key = (prefix: string, length = 36): string => prefix + LETTERS.slice(0, length);
const PEM = ['-----BEGIN RSA PRIVATE', ' KEY-----\nMIIEpAIBAAKCAQEA7\nabc=\n-----END RSA PRIVATE', ' KEY-----'].join(
  '',
);
const JWT = ['eyJhbGciOiJIUzI1NiJ9', 'eyJzdWIiOiIxMjM0NTY3ODkwIn0', LETTERS].join('.');

const SECRETS = [
  `Ann's key is ‹k:${key('sk-')}›.`,
  `‹k:${key('sk-proj-')}›`,
  `她的密钥是‹k:${key('sk-ant-api03-')}›，别外传`,
  `Ann pushes with ‹k:${key('ghp_')}›`,
  `‹k:${key('gho_')}› and ‹k:${key('github_pat_')}›`,
  `用‹k:${key('AKIA', 0)}IOSFODNN7EXAMPLE›登录`,
  `‹k:${key('AIza', 35)}›`,
  `Slack: ‹k:${key('xoxb-123456789012-', 24)}›`,
  `‹k:${key('sk_live_', 24)}›`,
  `‹k:${key('npm_')}›`,
  `LTAI: ‹k:${key('LTAI5t', 18)}›`,
  `token ‹k:${JWT}›`,
  `Authorization: Bearer ‹k:${LETTERS}›`,
  `‹k:${PEM}› is Tom's`,
  `her api key is ‹k:${LETTERS}›`,
  'https://x.example/?token=‹k:abc123def456ghi789›',
  'Card ‹c:4111 1111 1111 1111› exp 12/26',
  'Card ‹c:4111-1111-1111-1111›',
  '卡号是‹c:4111111111111111›。',
  'Amex ‹c:3782 822463 10005›',
  '小明的银行卡‹c:6222 0212 3456 7890 123›',
  '在 2024 ‹c:5555 5555 5555 4444› 过期',
  '身份证‹i:11010519491231002X›。',
  '小明的身份证号是‹i:11010519491231002x›',
  'ID ‹i:110105 19491231 002X›',
  '身份证号码：‹i:110101199001011234›',
  'Her SSN is ‹i:123-45-6789›',
  '‹i:123-45-6789› belongs to Ann',
  "Ann's passport number is ‹i:E12345678› and expires in 2030",
  '护照号‹i:E12345678›',
  'HKID ‹i:A123456(3)›',
  '小明的手机号是‹t:13812345678›，住在北京',
  '打‹t:138-1234-5678›找小红',
  '联系电话：‹t:138 1234 5678›',
  '小明‹t:１３８１２３４５６７８›',
  '‹t:+86 138 1234 5678›',
  '座机‹t:010-62345678›',
  '客服 ‹t:400-820-8820›',
  '电话‹t:62345678›',
  "Ann's number is ‹t:(415) 555-2671›",
  'call her at ‹t:415 555 2671›',
  '‹t:415-555-2671›, ‹t:415.555.2671›',
  'phone: ‹t:4155552671›',
  'Ann in London: ‹t:+44 20 7946 0958›',
  'Tom: ‹t:+44 7700 900123›',
  'tel:‹t:+1-415-555-2671›',
  'mobile number is ‹t:07700 900123›',
  'Her password is ‹p:hunter2›.',
  'password: ‹p:swordfish›',
  'The wifi password is ‹p:swordfish›.',
  'The password for Netflix is ‹p:Sunny4day›, says Ann',
  'the passphrase is "‹p:correct horse battery staple›"',
  'Ann changed her password to ‹p:hunter2› yesterday',
  'Ann uses ‹p:hunter2› as her password',
  'Tom: PIN: ‹p:1234›',
  "Tom's pin is ‹p:4321›",
  'PIN ‹p:0000›',
  'verification code: ‹p:482913›',
  'The door code is ‹p:4821›',
  'CVV ‹p:123›',
  'postgres://tom:‹p:s3cret›@db.example.com/x',
  '密码是 ‹p:abc123›',
  '密码是‹p:abc123›，别告诉别人',
  'WiFi密码是‹p:sunshine›',
  '支付密码：‹p:１２３４５６›',
  '验证码 ‹p:482913›',
  '验证码‹p:482913›，5分钟内有效',
  '他把密码改成了‹p:qwe456›',
  '他用‹p:abc123›当密码',
  '‹p:abc123›是他的邮箱密码',
  '小明的电话‹t:13812345678›，密码是‹p:abc123›',
];

const ORDINARY = [
  'Ann was born on 1990-01-01',
  'Met on 2024-03-05 at 14:30',
  '20240305',
  '2024-03-05 14:30:00',
  '2024 03 05 10',
  '05/03/2024',
  '12.5.2024',
  'the years 1990 1991 1992 1993',
  'worked there 1999-2004, 2005-2010',
  '2023-2024 2025-2026',
  '3.14159265358979',
  '1709654400000',
  'Price 1,299,000.00 dollars',
  '$19.99',
  'order 4155552671',
  'order number 302-555-1234',
  'order #12345678',
  'ISBN 978-3-16-148410-0',
  'ISBN 0-306-40615-2',
  '9787111544937',
  'flight CA1234 at 10:30',
  'Ann is 42 and scored 98.5',
  'The score was 21-15, 18-21, 21-19',
  '41 42 43 44 45 46 47 48',
  '4 1 1 1 1 1 1 1 1 1 1 1 1 1 1 1',
  'Tom lives at 221 Baker Street, 10001',
  'Ann ran 42.195 km in 3:59:01',
  '192.168.1.100',
  'version 1.2.3-beta.4',
  'Phone cost 12999 yuan in 2024',
  'Tom called her 3 times in 2024',
  'Her password is too short',
  'Her password is weak.',
  'His password was stolen',
  'His password was reset yesterday',
  'The password is written on a note',
  'Ann forgot her password in 2023',
  'Tom uses a password manager called Bitwarden',
  'Ann collects pins: 200 of them',
  'The zip code is 10001',
  'sk-learn-compatible-estimators',
  'Ann is the bearer of good news-and-bad-news-and-more',
  'Ann moved to SK-II from Olay',
  'passport expires 2027-05-01',
  '出生于1990年1月1日',
  '2024年3月5日下午3点',
  '他坐MU5101去上海',
  '订单号 4155552671',
  '订单号是20240305123',
  '他的年薪是1200000元',
  '房子350万，首付1050000',
  '身高175，体重70',
  '他今年35岁，考了98分',
  '邮编100080',
  'QQ 123456789',
  '手机 2024-03-05 买的',
  '手机花了12999元',
  '他忘了密码。2024年改过',
  '密码是8位数字',
  '密码2024年改过',
  '密码 2024-03-05 改过',
  '密码学考了95分',
  '他把1Password当作密码管理器',
  '验证码60秒内有效',
  '身份证2030年到期',
  '他住在3号楼1502室',
  '书号9787111544937',
  '2023-2024赛季得了2500分',
];

const cases = SECRETS.map(toCase);

describe('maskSecrets', () => {
  it.each(cases)('$text → $masked', ({ text, masked, kinds }) => {
    expect(maskSecrets(text)).toEqual({ text: masked, masked: kinds });
  });

  it.each(ORDINARY)('leaves alone: %s', (text) => {
    expect(maskSecrets(text)).toEqual({ text, masked: [] });
  });

  const piece = fc.oneof(
    fc.constantFrom(...cases.map(({ text }) => text), ...ORDINARY),
    fc.constantFrom(
      'password is ',
      '密码是',
      'PIN ',
      'call ',
      '电话',
      ' ',
      '-',
      '，',
      '.',
      ':',
      '"',
      '[',
      ']',
      '+',
      '(',
    ),
    fc.stringMatching(/^[\d -]{1,30}$/u),
    fc.string({ unit: anyCharacter, maxLength: 12 }),
  );
  const mixed = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(''));

  it('changes nothing more in what it has masked', () => {
    fc.assert(
      fc.property(mixed, (text) => {
        const once = maskSecrets(text).text;
        expect(maskSecrets(once)).toEqual({ text: once, masked: [] });
      }),
      { numRuns: 500 },
    );
  });

  it('leaves text without digits, beginnings of keys and words for passwords as it is', () => {
    const word = fc.constantFrom(
      'Ann',
      'likes',
      'tea',
      'sk',
      'is',
      ':',
      '喜欢',
      '茶',
      '。',
      '，',
      '-',
      ' ',
      '\n',
      'über',
      '😀',
    );
    fc.assert(
      fc.property(
        fc.array(word).map((words) => words.join('')),
        (text) => {
          expect(maskSecrets(text)).toEqual({ text, masked: [] });
        },
      ),
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^[^\p{N}:=_\-密码令]{0,80}$/u).filter((text) => !/pass|pwd/iu.test(text)),
        (text) => {
          expect(maskSecrets(text)).toEqual({ text, masked: [] });
        },
      ),
    );
  });

  it('takes any Unicode, lone surrogates included', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), fc.array(fc.integer({ min: 0, max: 0xffff })), (text, units) => {
        expect(typeof maskSecrets(text + String.fromCharCode(...units)).text).toBe('string');
      }),
    );
  });

  it('finds a secret wherever it stands in Chinese text', () => {
    fc.assert(
      fc.property(fc.constantFrom('茶', '她说', '，', ''), fc.constantFrom('号', '。', '！', ''), (before, after) => {
        expect(maskSecrets(`${before}13812345678${after}`).text).toBe(`${before}[masked: phone number]${after}`);
      }),
    );
  });
});
