/*
 * The words by which Chinese tells that something is so, or is so no more, in simplified characters. A pattern stands behind its subject;
 * words such as 已经 and 现在 are left out before. `{now}` is what is so from then on, `{over}` what is over, `{of}` what has another value;
 * `{place}`, `{name}` and `{date}` are values of that shape.
 */

/** Family and others, behind 我 or alone. */
export const relations =
  '妈妈?|母亲|爸爸?|父亲|哥哥?|姐姐?|弟弟?|妹妹?|表哥|表姐|表弟|表妹|堂哥|堂姐|堂弟|堂妹|儿子|女儿|老公|老婆|丈夫|妻子|太太|先生|男朋友|女朋友|男友|女友|对象|奶奶|爷爷|外公|外婆|姥姥|姥爷|叔叔|阿姨|舅舅|姑姑|室友|同事|老板|领导|朋友|邻居|爸妈|父母|团队|公司';

/** What is so, by the attribute of which it is a value. */
export const states: Readonly<Record<string, readonly string[]>> = {
  home: [
    '(?:住在|定居在?|常住){place}',
    '(?:从{old})?搬(?:到|去|来|回){place}',
    '住(?!在){place}$',
    '家在{place}',
    '在{town}住',
    '[跟和]{now}一起住',
  ],
  job: ['是(?:一名|一位|一个|个|名)?{job}$', '(?:在{old})?(?:当|做){now}$'],
  employer: ['在{now}(?:上班|工作|任职|教书|教|当|做)'],
  study: ['在{now}(?:读书|上学|念书)', '(?:读|念|学)的?是?{now}(?:专业)?$'],
  shift: ['上(?<now>夜班|白班|早班|晚班|中班)'],
  partner: [
    '(?:在|是)?[跟和与]{name}(?:谈恋爱|谈对象|(?<!不)在一起|交往|订婚|结婚)',
    '(?:有|交)(?:了)?(?:一个|个)?(?:新)?{someone}',
    '(?<now>单身)',
  ],
};

/** What has changed, by its attribute; nothing of that attribute is so any longer where no `{over}` tells what. */
export const changes: Readonly<Record<string, readonly string[]>> = {
  home: [
    '(?:从{old})?搬家?(?:到|去|来|回){place}',
    '(?:来|到|去){place}(?:定居|生活)',
    '从{over}家?搬出(?:来|去)?$',
    '搬进{town}的新?(?:家|房子|公寓|小区|宿舍)$',
  ],
  job: ['改行(?:当|做){now}$', '(?:开始|改)(?:当|做){now}$'],
  employer: ['入职了?{now}$'],
  work: [
    '跳槽(?:到|去){now}$',
    '(?:换|找到?)(?:新)?工作$',
    '把工作辞$',
    '(?:辞职|离职|失业|退休|下岗)$',
    '被(?:裁员|裁|辞退|开除|炒)$',
  ],
  study: ['(?:毕业|转专业|退学|辍学)$', '转学(?:到|去){now}$'],
  partner: [
    '[跟和与]{name}(?:的?婚)?(?:都|早就|终于)?(?:分手|分开|分|离婚|退婚|不在一起|掰)$',
    '(?:我们|咱们)?(?:上个?月|上周|去年|今年|夏天|最近|终于|和平)*(?:分手|离婚|分开)$',
    '取消(?:了)?(?:婚约|婚礼)$',
  ],
  any: [
    '从{over}(?:辞职|离职|毕业|退休|退出|退学|跳槽)(?:$|去)',
    '从{over}(?:跳槽|调|转)(?:到|去|至){now}$',
    '离开{over}$',
    '退出{over}$',
    '被{over}(?:裁员|裁|辞退|开除|炒)$',
    '把{over}的?工作辞$',
    '(?:再也|再)?不(?:再)?(?:当|做|是)?{over}$',
    '把{over}(?:戒|辞|停|退)(?:掉)?$',
    '戒(?:掉)?{over}$',
  ],
  thing: [
    '把{over}(?:卖|卖掉|扔|送人)(?:掉)?$',
    '把{over}(?:换成|改成){now}$',
    '(?:{of})?从{over}(?:换|转|迁移|迁|改|切换|涨|降|升)(?:成|到|为|用)?{now}$',
  ],
};

/** What happens to a thing that is named: another time, another number. */
export const turns: readonly string[] = [
  '{of}(?:改期)?(?:改|换|变|涨|降|调|推迟|延期|提前|延)(?:到|成|至|为){now}$',
  '(?:{old})?把(?:我的?|我们的?)?{of}(?:改|换|变|涨|降|调|推迟|延期|提前|延)(?:到|成|至|为){now}$',
];

/** Who left whoever speaks: 她跟我分手了 */
export const leaving = '[跟和与]我(?:分手|分开|离婚|退婚|分|掰)$';
/** What happens to somebody or something that is theirs no more, behind the name. */
export const gone = '搬走|退休|解散|倒闭';
/** Things of which a new one takes the place of the old one. */
export const renewable = '手机号码?|手机|号码|电话|电脑|车|邮箱|地址|领导|老板|房东|医生|健身房|专业';

/** A clause with one of these states nothing of how things are. */
export const doubt =
  '(?<![联理思幻])想|打算|考虑|可能|也许|或许|大概|差点|差一点|梦见|梦到|以前|曾经?|当过|做过|到过|去过|过去|小时候|的时候|年前|月前|从前|那时|当时|听说|据说|没有?|(?<![特性分区告])别(?!墅|人)|不会|不想|不能|准备|计划|将要?|下个?[月周]|明[年天]|快要|即将|暂时|临时|今晚|今天|假装|扮成|就不|要不要|能不能|差不多|几乎|本来|原来|暑假|周末|几天|一天|一趟|岁的?时';
/** A sentence with one of these asks, quotes or supposes. */
export const reports =
  '[？?“”「」『』]|[吗呢吧嘛][。！!]?$|如果|要是|假如|万一|说[：:，,]|告诉我|新闻|问我|要不要|是不是|知道';
/** Words that tell no more than how or since when. */
export const adverbs =
  '已经|早就|刚刚|刚(?=[搬换从入])|终于|正式|最近|后来|其实|(?<=^|[我们他她家人])(?:也|都|又|还|才|刚)|正在|一直|上周|上个月|上月|周末|(?:去年|今年)[春夏秋冬]天|去年|今年|前几天|昨天|前天';
export const now = '现在|如今|目前|眼下|这阵子';
/** A text without any of these tells no change. */
export const cues =
  '解散|倒闭|退休|搬|住|家在|辞|离职|跳槽|换|改|挪|戒|不再|不.{1,16}了|不是|分手|分开|分了|掰|离婚|退|取消|卖|扔|送人|涨|降|变|调|推迟|延|提前|现在|如今|目前|眼下|这阵子|新|单身|朋友|对象|女友|男友|老婆|老公|妻子|丈夫|未婚|在一起|恋爱|交往|订婚|结婚|毕业|转|迁|切换|裁|炒|开除|失业|下岗|离开|走了|死了|没了|[去过]世|最喜欢|邮箱|电话|手机|号码|地址|领导|老板|房租|电脑|专业|工作|入职|开始|停|夜班|白班|早班|晚班|中班';
/** Whoever asks with one of these asks how it stands with them. */
export const questions: Readonly<Record<string, string>> = {
  home: '住|家在|城市|定居|搬',
  work: '工作|上班|公司|职业|谋生|靠什么|做什么',
  partner: '女朋友|男朋友|女友|男友|对象|谈恋爱|老婆|老公|妻子|丈夫|单身|伴侣|另一半',
};
