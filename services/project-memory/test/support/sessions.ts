import type { ContentType } from '@contextloom/contracts/project-memory';

/** A made-up project: what its sessions left, and what of it still holds. */
export interface MadeUpProject {
  readonly name: string;
  readonly notes: readonly { readonly contentType: ContentType; readonly content: string; readonly ts: number }[];
  /** Words of each rule. */
  readonly rules: readonly string[];
  /** Sentences that later ones replaced. */
  readonly stale: readonly string[];
  /** The newest decision on anything. */
  readonly newest: string;
}

/** What a project is made of; a topic is a chain of choices, each of which takes the place of the one before. */
interface Plot {
  readonly name: string;
  readonly rules: readonly string[];
  /** A rule that a later one takes the place of, and that one. */
  readonly changed: readonly [before: string, after: string];
  readonly topics: Readonly<Record<string, readonly string[]>>;
  readonly isChinese?: boolean;
}

const plots: readonly Plot[] = [
  {
    name: 'shop',
    rules: [
      'Never push to main directly.',
      'Amounts must always be integer cents.',
      "Don't touch the migrations folder.",
      'Every endpoint must have a contract test.',
      'Do not log card numbers.',
    ],
    changed: ['Coverage must be at least 70 percent.', 'Coverage must be at least 85 percent.'],
    topics: {
      'job queue': ['Redis', 'RabbitMQ', 'Postgres'],
      'HTTP server': ['Express', 'Fastify', 'Hono'],
      'product search': ['Elasticsearch', 'Meilisearch'],
      'image storage': ['MinIO', 'Cloudflare R2'],
    },
  },
  {
    name: 'railway',
    rules: [
      'All times must be stored in UTC.',
      'Never call the signal API from a test.',
      'Always run the simulator before a merge.',
      'Timetables have to be read only from the mirror.',
    ],
    changed: ['Always squash commits.', 'Never squash commits.'],
    topics: {
      'timetable parser': ['ANTLR', 'Chevrotain', 'Peggy'],
      'message bus': ['Kafka', 'NATS'],
      'map tiles': ['Leaflet', 'MapLibre'],
    },
  },
  {
    name: 'clinic',
    rules: [
      'Patient names must never leave the building network.',
      'Always ask before a schema change.',
      'No release on Fridays: that is not allowed.',
      'Avoid new dependencies in the intake form.',
      'From now on every form must work with a keyboard alone.',
    ],
    changed: ['A page must load at most 3 fonts.', 'A page must load at most 1 fonts.'],
    topics: {
      'form validation': ['Yup', 'Joi', 'Zod'],
      'session store': ['Memcached', 'Valkey'],
      'report printing': ['Puppeteer', 'WeasyPrint'],
    },
  },
  {
    name: '账本',
    isChinese: true,
    rules: [
      '金额必须用整数分保存。',
      '不要改动 migrations 目录。',
      '提交前务必跑完测试。',
      '禁止在日志里打印卡号。',
      '一律使用 pnpm 安装依赖。',
    ],
    changed: ['覆盖率至少 70。', '覆盖率至少 85。'],
    topics: { 缓存: ['Redis', 'Memcached', 'Valkey'], 消息队列: ['RabbitMQ', 'Kafka'], 网页框架: ['Express', 'Hono'] },
  },
  {
    name: '图书馆',
    isChinese: true,
    rules: ['读者姓名不得写进日志。', '不要直接推送到 main 分支。', '接口必须向后兼容。', '严禁在周五发布。'],
    changed: ['每页至多请求最多 5 次。', '每页至多请求最多 2 次。'],
    topics: {
      全文检索: ['Elasticsearch', 'Meilisearch'],
      任务调度: ['Celery', 'Temporal'],
      数据库: ['MySQL', 'Postgres'],
    },
  },
  {
    name: 'game engine',
    rules: [
      'Never allocate in the render loop.',
      'Shaders must compile on WebGL 2.',
      'Please do not rename public components.',
      'You must run the benchmark before every merge.',
    ],
    changed: ['A frame must take at most 16 ms.', 'A frame must take at most 8 ms.'],
    topics: {
      'physics library': ['Cannon', 'Ammo', 'Rapier'],
      'asset pipeline': ['Webpack', 'Vite'],
      'sound mixer': ['Howler', 'Tone'],
    },
  },
];

const SESSIONS = 200;
const START_S = 1_735_689_600;
const DAY_S = 86_400;

const first = {
  zh: (topic: string, one: string) => `我们决定${topic}用 ${one}。`,
  en: (topic: string, one: string) => `We decided on ${one} for the ${topic}.`,
};
const next = {
  zh: [
    (topic: string, from: string, to: string) => `${topic}从 ${from} 换成 ${to}。`,
    (topic: string, from: string, to: string) => `${topic}不再使用 ${from}，改用 ${to}。`,
  ],
  en: [
    (topic: string, from: string, to: string) => `We switched the ${topic} from ${from} to ${to}.`,
    (topic: string, from: string, to: string) =>
      `We use ${to} for the ${topic} now instead of ${from}, because it is easier to run.`,
    (topic: string, from: string, to: string) => `${from} was replaced by ${to} for the ${topic}.`,
  ],
};

/** Notes of one project over its sessions; what is said when follows from the numbers alone. */
function toProject({ name, rules, changed, topics, isChinese = false }: Plot): MadeUpProject {
  const notes: { contentType: ContentType; content: string; ts: number; session: number }[] = [];
  const say = (session: number, contentType: ContentType, content: string): void => {
    notes.push({ contentType, content, ts: START_S + session * DAY_S + notes.length, session });
  };
  const stale: string[] = [changed[0]];
  const language = isChinese ? 'zh' : 'en';
  for (const [at, rule] of rules.entries()) {
    say(3 + at * 29, 'requirement', rule);
    say(40 + at * 31, 'requirement', rule);
  }
  say(20, 'requirement', changed[0]);
  say(120, 'requirement', changed[1]);
  let newest = { session: 0, text: '' };
  for (const [at, [topic, choices]] of Object.entries(topics).entries()) {
    let before = '';
    for (const [turn, choice] of choices.entries()) {
      const session = 5 + at * 7 + turn * 60;
      const how = next[language];
      const text =
        turn === 0
          ? first[language](topic, choice)
          : (how[(at + turn) % how.length]?.(topic, choices[turn - 1] ?? '', choice) ?? '');
      if (before !== '') stale.push(before);
      before = text;
      say(session, 'insight', text);
      if (session > newest.session) newest = { session, text };
    }
  }
  for (let session = 0; session < SESSIONS; session += 1) {
    const module = `part${session}x`;
    if (session % 3 === 0)
      say(session, 'testing', isChinese ? `${module} 的测试通过。` : `All ${session + 1} tests pass in ${module}.`);
    if (session % 10 === 0)
      say(session, 'plan', isChinese ? `待办：${module} 的导出页还没做。` : `TODO: the export page of ${module}.`);
    if (session % 10 === 5) {
      const open = `part${session - 5}x`;
      say(
        session,
        'development',
        isChinese ? `${open} 的导出页已完成。` : `The export page of ${open} is implemented.`,
      );
      stale.push(isChinese ? `待办：${open} 的导出页还没做。` : `TODO: the export page of ${open}.`);
    }
    const outcome = isChinese
      ? `要求：改 ${module}\n结果：${module} 已经改好。`
      : `Asked: change ${module}\nOutcome: ${module} is changed and pushed.`;
    say(session, 'development', outcome);
  }
  const sorted = notes
    .sort((one, other) => one.session - other.session)
    .map((note) => ({ ...note, ts: START_S + note.session * DAY_S + ((note.ts % DAY_S) % 1_000) }));
  return { name, notes: sorted, rules: [...rules, changed[1]], stale, newest: newest.text };
}

/** Six projects of 200 sessions each. */
export const madeUpProjects: readonly MadeUpProject[] = plots.map(toProject);
