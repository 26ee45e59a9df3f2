import type { MemoryType } from '@contextloom/contracts/typed-memory';
import { findTimes } from '@contextloom/retrieval/time';
import { maskSecrets } from '@contextloom/safety';
import { findSteps } from './details.ts';

/** What type a text seems to be of; `isSure` when hardly another one can be meant. */
export interface TypeProposal {
  readonly type: MemoryType;
  readonly isSure: boolean;
}

/** How much of a text is read for it. */
const READ_LENGTH = 4_000;

const RESOURCE_ONLY = /^(?:\S{1,40} ?[:：]? ?)?(?:https?:\/\/|file:\/\/|~?\/|[A-Za-z]:\\)\S+$/u;
const RESOURCE =
  /https?:\/\/|^#{1,3}\s|\b(?:document|manual|handbook|spreadsheet|repository|pdf)\b|文档|手册|链接|资料|文件/imu;
const PROCEDURE =
  /\b(?:how to|steps? (?:to|for)|procedure|workflow|recipe|instructions for)\b|步骤|流程|操作方法|怎么做|如何/iu;
const PERSONAL =
  /\b(?:my name|i am|i'm|i (?:really )?(?:like|love|hate|prefer|dislike|live|work|speak|want to be called)|my (?:favou?rite|job|birthday|wife|husband|partner|hobb(?:y|ies)|email|phone)|call me|the user (?:is|likes|prefers|lives|works|has)|allergic)\b|我(?:叫|是|喜欢|讨厌|爱|住|偏好|不喜欢|不吃|的(?:名字|生日|爱好|职业|工作|手机|电话|邮箱|地址))|过敏|用户(?:喜欢|叫|是|住|偏好)/iu;
const HAPPENED =
  /\b(?:went|met|visited|had|saw|bought|finished|started|attended|talked|called|decided|discussed|was|were|did|got|made|moved|happened)\b|了|过(?:[。，]|$)|会议|参加|去了|见了/iu;

/** That it was, whatever happened then; what a person likes of yesterday did not happen. */
const PAST =
  /昨[天晚]|前[天晚]|上个?(?:周|星期|礼拜|月)|[去前]年|[天周月年]前|\b(?:yesterday|ago|last (?:night|week|month|year|spring|summer|autumn|winter|\w+day)(?! of))\b/iu;

/** That it is to come; a date alone may be that of anything. */
const AHEAD =
  /[明后][天晚早]|今晚|下下?个?(?:周|星期|礼拜|月)|明年|\b(?:tomorrow|tonight|next (?:week|weekend|month|year|\w+day)|(?:this|coming) (?:evening|afternoon|weekend|\w+day))\b/iu;
/** What a person has planned, with a date. */
const PLANNED =
  /要去|打算|预约|约了|约好|有约|开会|见面|体检|复查|面试|考试|出发|航班|到期|婚礼|\b(?:appointment|meeting|flight|interview|exam|wedding|deadline|going to|will|due|leaves?|see the)\b/iu;

/**
 * Proposes a type by rules in English and Chinese. A secret comes first, so that one is never taken for anything that is kept in
 * clear or shown to a model.
 */
export function proposeType(content: string, context?: string): TypeProposal {
  const text = content.slice(0, READ_LENGTH);
  if (maskSecrets(text).masked.some((kind) => kind !== 'phone number'))
    return { type: 'knowledge_vault', isSure: true };
  // Each run of white space is read once.
  if (RESOURCE_ONLY.test(text.replace(/\s+/gu, ' ').trim())) return { type: 'resource', isSure: true };
  if (content.length > READ_LENGTH) return { type: 'resource', isSure: false };
  const steps = findSteps(text).length;
  if (steps >= 3) return { type: 'procedural', isSure: true };
  if (PROCEDURE.test(text) && steps >= 2) return { type: 'procedural', isSure: true };
  const isPersonal = PERSONAL.test(text);
  const isPast = HAPPENED.test(text) || (PAST.test(text) && !isPersonal);
  const isToCome = (AHEAD.test(text) || PLANNED.test(text)) && !isPersonal;
  if ((isPast || isToCome) && findTimes(`${text}\n${context ?? ''}`, { reference: new Date(0) }).length > 0) {
    return { type: 'episodic', isSure: !isPersonal };
  }
  if (isPersonal) return { type: 'core', isSure: false };
  if (PROCEDURE.test(text)) return { type: 'procedural', isSure: false };
  if (RESOURCE.test(text)) return { type: 'resource', isSure: false };
  return { type: 'semantic', isSure: false };
}
