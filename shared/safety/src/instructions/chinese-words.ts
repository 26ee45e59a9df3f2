import type { Instruction } from './patterns.ts';

/** An order begins its clause; in a fact somebody stands before the verb. Politeness and urgency may stand between. */
const ORDER =
  '(?:^|[\\n。!?,;:、"「『(>*#-]) ?(?:(?:请|请你|麻烦你?|你(?:必须|应该|要|需要|得|现在要|一定要|务必|只能)?|务必|必须|现在|立即|立刻|马上|从(?:现在|此刻|今)(?:起|开始|以后|往后)?|接下来|首先|然后|以后|今后|千万|一定要?|永远|重要|注意|助手|ai|模型|系统|直接|完全|彻底|偷偷|悄悄)[,:!\\s]*){0,5}';
/** The same, where a subject left out would make a fact of it: the assistant must be asked or addressed. */
const ADDRESSED =
  '(?:^|[\\n。!?,;:、"「『(>*#-]) ?(?:现在|从(?:现在|此刻|今)(?:起|开始|以后|往后)?|接下来|以后|今后|无论[^,。]{1,12}|不管[^,。]{1,12})?[,\\s]*(?:请(?!他|她|它|老师|医生|朋友|同事|大家|客|人|了|假|教|过|全|家|保)你?|你|(?:助手|ai|模型)(?=必须|只能|务必|不得|要|总是|始终|永远|一律))(?:必须|应该|要|需要|得|务必|只能|一定要|都|现在|今后|以后|总是|始终|永远|一律|每次)*';

/** An order at the beginning of a clause. */
export const order = (source: string): Instruction => ({ begins: ORDER, source });
/** An order that names or addresses whom it is for. */
export const addressed = (source: string): Instruction => ({ begins: ADDRESSED, source });
/** An order wherever it stands. */
export const anywhere = ({ source }: RegExp): Instruction => ({ begins: '', source });

/** What follows a verb tells that the thing is done, and so that this is no order. */
export const TELLING = '(?!了|过|掉了|完)';
/** What an assistant has been instructed. */
export const RULES =
  '(?:指令|指示|提示词?|提示语|规则|设定|限制|命令|约束|系统消息|对话|上下文|内容|记忆|准则|政策|要求|说明|一切|设置|过滤)';
