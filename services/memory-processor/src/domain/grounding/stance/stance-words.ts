/** Turns of phrase with a negation in them that deny nothing. */
export const NO_DENIAL =
  /can(?:'|’)?t (?:wait|believe|help|get enough|thank|stress|imagine)|couldn(?:'|’)?t (?:be (?:happier|prouder|better|more)|agree more|ask for)|not only|not just|no (?:problem|worries|doubt|wonder|way|kidding|matter)|never mind|why not|not bad|don(?:'|’)?t worry|nothing (?:beats|better|like)|(?:wo|will )n(?:'|’)?t believe|won(?:'|’)?t believe|never (?:ever )?forget|can(?:'|’)?t stop|no (?:cakewalk|picnic|joke|small (?:feat|thing))|never (?:thought|knew|imagined|expected) (?:that )?|not (?:since|until|to mention)|不错|不好意思|不得不|忍不住|没想到|没问题|不仅|不但|差不多|不客气|对不起|不过|不同|不管|说不定|不由得|了不起|等不及|不久|不止|没事|不少|不断|无论|不只|不光|不知不觉|要不|不如|是不是|有没有|好不容易|不愧|不然|从来没想过|没准|说不准|不一定/giu;

/** Words that deny what they stand with. */
export const DENIAL =
  /\b(?:not|never|no longer|nobody|nothing|neither|nor|without|hardly|barely|rarely|seldom|cannot|none)\b|\bno\b(?!\.)|\b(?:do|does|did|is|are|was|were|has|have|had|would|wo|ca|could|should|ai|need)n(?:'|’)?t\b|不|没|(?<![特区分性差级])别(?![人的墅])|未|无(?!锡|线|数)|从不|并非|哪[敢会能]|几乎不|很少/iu;
/** Words of a fact that tell of a denial in their own way. */
export const DENIED_IN_OTHER_WORDS =
  /\b(?:quit|stopp?(?:ed|s)?|gave up|given up|refus\w+|avoid\w*|dislik\w+|hat(?:es|ed|e)|lost|lack\w*|unable|former(?:ly)?|used to|allergic|declin\w+|cancel\w+|skipp?\w*|reject\w*|fail\w*|struggl\w*|ex-|no|except|instead|rather than|free of|away from|miss(?:es|ed)?|single|unemployed|retired|broke|vegan|vegetarian|difficult\w*|hard|can only|only|postpon\w+|sober|late|new|first|wants?|worried|unsure|uncertain|nervous|afraid)\b|戒|讨厌|拒绝|停|放弃|取消|缺|失|过敏|避|忌|少|恨|嫌|难|免|空|辞|断|只|怕|担心|单身|推迟|第一次/iu;

/** Words that put what is said under a condition. */
export const CONDITION =
  /\b(?:if|unless|in case|suppos(?:e|ing)|assuming|hypothetically|what if|wish|were to|would have|could have|if only|otherwise|in another life|in a perfect world)\b|(?:i|he|she|we|they)(?:'|’)d have\b|如果|要是|假如|假设|万一|的话|就好了|倘若|若是|除非|不然|否则|本来(?:想|要|打算)|差点|差一点|\b(?:almost|nearly)\b/iu;
/** Words that a clause has which follows from a condition. */
export const CONSEQUENCE = /\b(?:would|will|could|might|may|can)\b|['’](?:d|ll)\b|就|会|能|早|得|该|也/iu;
/** Words that leave it open whether something is so. */
export const OPEN =
  /\b(?:might|maybe|perhaps|possibly|considering|thinking (?:of|about)|thought about|not sure|undecided|toying with|tempted|dream(?:ing|s)? (?:of|about)|looking into|wonder(?:ing)?|(?:could|might|may) (?:be|become|end up)|(?:mean|meant|meaning) to)\b|可能|也许|或许|说不定|考虑|不确定|还没(?:想好|决定)|犹豫|在想|纠结|没准/iu;
/** Words that tell of what is to come. */
export const PLAN =
  /\b(?:plan(?:s|ning|ned)? (?:to|on|for)|hop(?:e|es|ing) (?:to|for)|want(?:s)? to|wanna|going to|gonna(?! keep)|intend(?:s|ing)?|will|(?:i|we|he|she|they)(?:'|’)ll(?! (?:always|never))|would (?:like|love) to|(?:i|we)(?:'|’)d (?:like|love) to|about to|next (?:week|month|year|summer|spring|fall|winter)|tomorrow|looking forward|upcoming|scheduled|appl(?:y|ying|ied)|sign(?:ed|ing) up|registered|booked|enrolled)\b|打算|计划|想(?!起|到|念|过|着)|准备|希望|要去|将|会(?!议|员|计|说|唱|弹|做|写|[，。,.！!])|明天|明年|下周|下个?月|(?<![\p{Script=Han}])以后|我以后|报名|申请/iu;
/** Words of a fact that keep a condition or a plan what it is. */
export const HEDGE =
  /\b(?:if|unless|might|may|maybe|would|could|possibly|perhaps|consider\w*|think\w*|thought|plan\w*|hop(?:e|es|ed|ing)|want\w*|wish\w*|intend\w*|aim\w*|dream\w*|interest\w*|will|going to|next|upcoming|scheduled|look\w* (?:forward|into)|tempt\w*|undecided|unsure|not (?:sure|decided)|appl\w+|wonder\w*|curious|open to|almost|nearly|to be|would like|excited|goal|until|determined|passionate|committed|eager|is \w+ing|are \w+ing|soon|tomorrow)\b|如果|要是|可能|也许|考虑|打算|计划|想|准备|希望|要|将|会(?!弹|做|说|唱|写|开|游|用|画|织|修)|梦想|有意|犹豫|申请|报名|愿|期待|差点|即将|目标|兴趣/iu;
/** Words that take back what was said before them. */
export const TAKEN_BACK =
  /(?<!\b(?:not|never|n['’]t) (?:be )?)\b(?:kidding|joking)\b|\bjk\b|(?:^|\s)\/s\b|\bapril fool|\bpulling your leg\b|\bsaid no one\b|\bnot!\s|😜|😏|(?<![不没别][^，。！？]{0,4})开(?:个|你)?玩笑|逗你|骗你|才怪|说笑|反话|愚人节|狗头/iu;
/** Words by which a sentence is meant the other way round. */
export const IRONY =
  /\byeah,? right\b|\bas if\b[.!]|\b(?:being sarcastic|sarcasm)\b|\bin my dreams\b|\boh,? (?:sure|great|joy|fantastic|wonderful|perfect)\b[,.!]|\bexactly what i (?:needed|wanted)\b|\bmy (?:other|second) (?:yacht|mansion|jet)\b|🙄|想得美|谁信|鬼才信|做梦(?!都|也)|呵呵|真是(?:太)?(?:棒|好|谢谢)了?(?:呢|呀|哦)|我信了你的/iu;
/** Words that a whole turn opens with which is not meant. */
export const IRONIC_OPENING = /^\W*(?:(?:ha|oh|yeah)\W+)*(?:very funny|hilarious)\b/iu;
/** Words that tell that something is so no more, or came to nothing. */
export const CEASED =
  /\b(?:quit|stopped|done with|gave up|given up|used to|no longer|formerly|ex-|pulled out|fell through|cancel(?:l?ed)?|backed out|broke up|split up|sold|retired|was going to|were going to|was planning|were planning|decided against|changed (?:my|our) minds?|opted out|turned (?:it |that |them |him |her )?down|passed up|declined|made redundant|laid off|let go of|got fired|was fired|sacked|(?:am|been|(?:'|’)m|is) off (?:cigarettes|alcohol|booze|sugar|meat|coffee|caffeine|dairy|gluten|bread|social media)|(?:had|'d|’d) (?:thought about|wanted to|hoped to)|scrap that)\b|too (?:far|expensive|dear|late)\b|太(?:贵|远)|算了|决定不|戒|退[了出]|放弃|取消|没(?:买|去|办|做)?成|黄了|泡汤|分手|分了|辞(?:职|了)|退休|以前|曾|本来/iu;

/** Verbs that report what somebody else says. */
export const REPORT =
  /\b(?:said|says?|told|tells?|claim\w*|wrote|writes|texted|shouted|yelled|goes|was like|according to|the (?:ad|article|book|song|movie|character|lyrics|post|email|review)|quote\w*|read(?:s)? ["“'‘])|[说道喊写讲吼骂嚷](?:[:：，,]|[“"「])|(?:他|她|妈|爸|老板|同事|室友|老婆|老公|同学|邻居|朋友|医生|老师|书里|电影里|歌词|广告|网上|文章)[^。！？!?]{0,6}说/iu;

/** Likes, and their opposites. */
export const LIKES =
  /\b(?:lov(?:es?|ed|ing)|lik(?:es?|ed|ing)|enjoy\w*|ador\w+|fan of|favou?rite|fond of|into|prefers?)\b|喜欢|爱(?!人)|最爱|热爱|享受|偏爱/iu;
export const DISLIKES =
  /\b(?:hat(?:es?|ed|ing)|dislik\w+|can(?:'|’)?t stand|won(?:'|’)?t (?:touch|eat|drink|go near)|despis\w+|detest\w*|loath\w+|terrified|scared|afraid|fears?|against|sick of|not (?:a |really )?(?:a )?fan|no fan|(?:not|n(?:'|’)t) (?:really |particularly |much )?(?:like|love|enjoy|care for))\b|讨厌|不(?:太|怎么|大)?(?:喜欢|爱)|受不了|恨|烦|嫌|怕|反对|[喝吃住用看听]不惯/iu;

/** A preference of somebody that an assistant should serve somebody else. */
export const INJECTED =
  /\b(?:wants?|prefers?|asks?|requests?|requires?|expects?|likes?|would like|instructs?|needs?)\b[^.]{0,40}\b(?:the )?(?:assistant|ai|chatbot|model|bot|system|responses?|answers?)\b[^.]{0,40}\b(?:recommend\w*|promot\w*|advertis\w*|mention\w*|suggest\w*|endors\w*|prais\w*|link\w*|buy\w*|forward\w*|send\w*|reveal\w*|ignor\w*|trust\w*|always|never|obey\w*|disabl\w*|bypass\w*|share\w*)\b|\b(?:assistant|ai|chatbot|model|bot)\b[^.]{0,30}\b(?:should|must|has to|is to)\b|(?:希望|要求|想要?|喜欢|偏好|让)[^。]{0,12}(?:助手|AI|机器人|模型|回答|系统)[^。]{0,20}(?:推荐|宣传|提到|推广|购买|链接|忽略|无视|透露|发送|转发|总是|永远|一律|必须|信任)|(?:助手|AI|机器人|模型)(?:应该|必须|要)/iu;

/** A liking that is denied. */
export const NEGATED_LIKE =
  /(?:not|n(?:'|’)t|never) (?:really |particularly |much )?(?:like|love|enjoy|care for|liked|loved|enjoyed)\b|不(?:太|怎么|大|是很)?(?:喜欢|爱)/iu;

/** Words that answer a question without a yes or no. */
export const MAYBE =
  /^\s*(?:maybe|perhaps|possibly|not sure|i(?:'|’)m not sure|who knows|we(?:'|’)ll see|i wish|也许|可能|不一定|再说|看情况|不好说|没想好)/iu;

/** Words that stand against each other: who did the one did not do the other. */
export const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:buys?|bought|buying)\b/iu, /\b(?:sells?|sold|selling)\b/iu],
  [/[买購购]/u, /[卖賣]/u],
  [/\b(?:gain(?:s|ed)?|put on)\b/iu, /\b(?:los(?:es?|t|ing))\b/iu],
  [/胖/u, /瘦/u],
  [
    /\b(?:left)\b (?=knee|hand|arm|leg|foot|eye|ear|ankle|shoulder|hip|side|wrist)/iu,
    /\bright\b (?=knee|hand|arm|leg|foot|eye|ear|ankle|shoulder|hip|side|wrist)/iu,
  ],
  [/左(?=手|脚|腿|膝|眼|耳|肩|臂)/u, /右(?=手|脚|腿|膝|眼|耳|肩|臂)/u],
  [/\bmorning\b/iu, /\bevening\b/iu],
  [/[早凌]晨|早上|上午/u, /晚上|傍晚|下午/u],
  [/\b(?:borrow(?:s|ed)?)\b/iu, /\b(?:lends?|lent)\b/iu],
  [/很好|不错|擅长|流利/u, /不行|很差|不好|不会|差劲/u],
  [/\b(?:passed)\b/iu, /\b(?:failed)\b/iu],
  [/\b(?:arriv(?:es?|ed)|came)\b/iu, /\b(?:depart(?:s|ed)|leaves?)\b/iu],
  [/\bpart[- ]time\b/iu, /\bfull[- ]time\b/iu],
  [/兼职|兼職/u, /全职|全職/u],
];

/** Kin of either sex: who tells of the one does not tell of the other, unless both are spoken of. */
export const KIN_OPPOSITES: typeof OPPOSITES = [
  [/\b(?:brothers?|half-brothers?)\b/iu, /\b(?:sisters?|half-sisters?)\b/iu],
  [/哥(?![们儿伦])|弟(?![子])/u, /姐(?!夫)|妹(?!夫)/u],
  [/\b(?:sons?|grandsons?)\b/iu, /\b(?:daughters?|granddaughters?)\b/iu],
  [/儿子/u, /女儿|闺女/u],
  [/\b(?:father|dad|daddy|grandfather|grandpa)\b/iu, /\b(?:mother|mom|mum|mommy|mummy|grandmother|grandma)\b/iu],
  [/爸|父亲/u, /妈|母亲/u],
  [/\b(?:husband|boyfriend)\b/iu, /\b(?:wife|girlfriend)\b/iu],
  [/老公|丈夫|男朋?友/u, /老婆|妻子|女朋?友/u],
  [/\b(?:uncle|nephew)\b/iu, /\b(?:aunt|auntie|niece)\b/iu],
];

/** Words by which somebody says that they did not do what they were told, or that it will not be. */
export const NOT_HEEDED =
  /没门|休想|\bno way\b|\b(?:not|isn(?:'|’)t|never) (?:going to happen|gonna happen|happening)\b|(?<=[，,。；])我?(?:就|也|才)?没听(?!说|到|见|懂|过)|\b(?:did|do)n(?:'|’)?t listen\b|\bignored (?:him|her|them|it)\b/iu;

/** Words by which somebody tells that they said no to what was asked of them. */
export const SAID_NO =
  /\bI (?:said|told (?:him|her|them)) no\b|\b(?:I|we) (?:refused|declined|turned (?:it|them|him|her) down|passed on it|didn(?:'|’)t (?:agree|want|accept))\b|我(?:们)?(?:没|没有|不)(?:同意|答应|接受|要)|拒绝了|推[掉了]|婉拒/iu;

/** Words that tell in Chinese that something can, will or is only then to be, and those that tell that it has been. */
export const TO_COME = /能(?!力)|可以|会(?!议|员|计)|要(?!求|好)|才|再(?=[\p{Script=Han}]{0,4}[年月天周次])/u;
export const DONE = /已经|过(?!几|两|年|敏|生|分|来|去|程|节)|[完好成到掉]了|了(?!解|不起)/u;

/** A verb right after its negation, adverbs left out; what is not done again was done. */
export const NEGATED_VERB =
  /\b(?:do|does|did|is|are|was|were|has|have|had|would|wo|ca|could|should|need)(?:n(?:'|’)?t| not) (?:(?:yet|really|even|actually|ever|quite|still|just|been) )*(\p{Ll}{3,20})\b(?! (?:another|again|any ?more))|\b(?:never|not) (?:(?:yet|really|even|actually|ever) )*(\p{Ll}{3,20})\b(?! (?:another|again|any ?more))|(?:还没|没有?|从不|不再|不|未)([\p{Script=Han}]{2})/giu;
