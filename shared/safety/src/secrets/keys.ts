import { type Detector, findAll } from './finding.ts';

/**
 * Formats that issuers publish. Lengths are taken short, since people cut keys off and issuers lengthen them.
 * - OpenAI, Anthropic and those that follow them (DeepSeek, OpenRouter): platform.openai.com/docs, docs.anthropic.com
 * - GitHub: github.blog/2021-04-05-behind-githubs-new-authentication-token-formats; GitLab: docs.gitlab.com/security/tokens
 * - AWS: docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html; Google: docs.cloud.google.com/docs/authentication/api-keys
 * - Slack: docs.slack.dev/authentication/tokens; Stripe: docs.stripe.com/keys; npm: docs.npmjs.com/about-access-tokens
 * - Alibaba (LTAI) and Tencent Cloud (AKID), Hugging Face (hf_), SendGrid, PyPI, Telegram: as the rules of gitleaks list them
 */
const ISSUED = [
  'sk-(?=[\\w-]*[\\dA-Z])(?:(?:proj|ant|svcacct|admin|or)-[\\w-]{8,}|[\\w-]{12,})',
  '(?:gh[pousr]|github_pat)_\\w{20,}',
  'glpat-[\\w-]{20,}',
  '(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}(?![A-Za-z0-9])',
  'AIza[\\w-]{30,}',
  'GOCSPX-[\\w-]{20,}',
  'ya29\\.[\\w-]{20,}',
  'xox[a-z]-[\\w-]{10,}',
  'xapp-\\d-[\\w-]{10,}',
  '(?:sk|rk)_(?:live|test)_[A-Za-z0-9]{10,}',
  'whsec_[A-Za-z0-9+/]{20,}={0,2}',
  'npm_[A-Za-z0-9]{30,}',
  'pypi-[\\w-]{30,}',
  'hf_[A-Za-z0-9]{30,}',
  'gsk_[A-Za-z0-9]{30,}',
  'LTAI[A-Za-z0-9]{12,}',
  'AKID[A-Za-z0-9]{28,}',
  'SG\\.[\\w-]{16,}\\.[\\w-]{16,}',
  '\\d{8,10}:AA[\\w-]{30,}',
  // A JSON Web Token (RFC 7519): two base64url objects and a signature, which may be cut off.
  'eyJ[\\w-]{8,}\\.[\\w-]{8,}(?:\\.[\\w-]+)?',
];
/** A key begins where no word goes on; without that, each letter of a long word would be a place to begin at. */
const KEYS = new RegExp(`(?<![\\w-])(?:${ISSUED.join('|')})`, 'gu');

/** RFC 7468. What stands between the two borders has no five dashes, so each border is read once. */
const PRIVATE_KEY =
  /-----BEGIN [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----(?:(?:[^-]|-(?!----))*-----END [A-Z0-9 ]{0,30}PRIVATE KEY(?: BLOCK)?-----|(?:\s|\\[nr]|[A-Za-z0-9+/=]{20,})*)/gu;
/** RFC 6750, and the basic scheme of RFC 7617 in a header. */
const BEARER =
  /(?<![\w-])(?:Bearer\s{1,4}(?=[\w.~+/-]*\d)|Authorization:\s{0,4}Basic\s{1,4})(?<value>[\w.~+/-]{16,}={0,2})/dgiu;
const WEBHOOK = /https:\/\/hooks\.slack\.com\/(?:services|workflows|triggers)\/[\w/-]{10,}/gu;
const IN_ADDRESS =
  /[?&](?:token|key|api_?key|access_token|auth|sig|signature|secret|password)=(?<value>[\w.~%+/-]{8,})/dgiu;
/** A key without a known beginning is known by its name. */
const NAMED =
  /(?<![A-Za-z])(?:api|access|secret|private|auth|account|signing|encryption|aws|client)[ _-]?(?:access[ _-]?)?(?:key|token|secret)(?:[ _-]?id)?["']?(?:\s{0,3}(?::|=|是|为)|\s(?:is|was))\s{0,3}["'“「]?(?<value>(?=[\w+/=.~-]*\d)(?=[\w+/=.~-]*[A-Za-z])[\w+/=.~-]{12,}[\w=])/dgiu;
const NAMED_IN_CHINESE =
  /(?:密钥|秘钥|令牌)\s?(?:是|为|:|=)\s{0,3}["'“「]?(?<value>(?=[\w+/=.~-]*\d)(?=[\w+/=.~-]*[A-Za-z])[\w+/=.~-]{11,}[\w=])/dgiu;

/** Finds keys and tokens of programs by their published formats. */
export const findKeys: Detector = (plain) =>
  [KEYS, PRIVATE_KEY, BEARER, WEBHOOK, IN_ADDRESS, NAMED, NAMED_IN_CHINESE].flatMap((pattern) =>
    findAll(plain, pattern, 'key'),
  );
