/** What the page says where a person lets a program in. */
export interface ConsentTexts {
  readonly lang: string;
  readonly title: string;
  readonly asks: (client: string) => string;
  readonly unproven: string;
  readonly published: (host: string) => string;
  readonly sentTo: string;
  readonly may: string;
  readonly scopes: Readonly<Record<'read' | 'write', string>>;
  readonly key: string;
  readonly keyHint: string;
  readonly user: string;
  readonly userHint: string;
  readonly allow: string;
  readonly deny: string;
  readonly errors: Readonly<Record<ConsentError, string>>;
  readonly failed: string;
}

/** What was wrong with what a person entered. */
export type ConsentError = 'key' | 'user' | 'scope' | 'often';

const en: ConsentTexts = {
  lang: 'en',
  title: 'Let a program in?',
  asks: (client) => `${client} asks for access to a memory of this server.`,
  unproven: 'This is the name that the program gives itself. Go on only if you have just started this yourself.',
  published: (host) => `The program is the one that ${host} publishes.`,
  sentTo: 'You are sent back to',
  may: 'It may',
  scopes: { read: 'read what is remembered and known', write: 'remember, correct and forget' },
  key: 'Your key',
  keyHint: 'As "contextloom keys add" printed it. The program does not get it.',
  user: 'Whose memory',
  userHint: 'Leave this empty when your key is for one person.',
  allow: 'Allow',
  deny: 'Deny',
  errors: {
    key: 'This key is unknown, revoked, expired or not for this server.',
    user: 'Name the person whose memory it is: your key is not for exactly one, or not for this one.',
    scope: 'Your key allows none of what the program asks for.',
    often: 'Too many wrong keys: wait a minute.',
  },
  failed: 'This cannot go on',
};

const zh: ConsentTexts = {
  lang: 'zh',
  title: '允许程序访问？',
  asks: (client) => `${client} 请求访问此服务器上的记忆。`,
  unproven: '这是该程序自报的名称。只有当您刚刚亲自发起连接时才继续。',
  published: (host) => `该程序由 ${host} 发布。`,
  sentTo: '完成后您将返回',
  may: '它可以',
  scopes: { read: '读取记忆和知识', write: '记住、更正和遗忘' },
  key: '您的密钥',
  keyHint: '即 "contextloom keys add" 显示的密钥。程序不会得到它。',
  user: '谁的记忆',
  userHint: '如果密钥只属于一个人，请留空。',
  allow: '允许',
  deny: '拒绝',
  errors: {
    key: '此密钥未知、已撤销、已过期或不适用于此服务器。',
    user: '请填写记忆所属的人：您的密钥并非恰好属于一个人，或不包括此人。',
    scope: '您的密钥不允许程序请求的任何权限。',
    often: '错误的密钥过多：请等一分钟。',
  },
  failed: '无法继续',
};

/** The texts in the language that a browser asks for first, as far as there are some. */
export function toTexts(acceptLanguage: string | undefined): ConsentTexts {
  return /^\s*zh\b/i.test(acceptLanguage ?? '') ? zh : en;
}
