const INJECTED =
  /\b(?:wants?|prefers?|asks?|requests?|requires?|expects?|likes?|would like|instructs?|needs?)\b[^.]{0,40}\b(?:the )?(?:assistant|ai|chatbot|model|bot|system|responses?|answers?)\b[^.]{0,40}\b(?:recommend\w*|promot\w*|advertis\w*|mention\w*|suggest\w*|endors\w*|prais\w*|link\w*|buy\w*|forward\w*|send\w*|reveal\w*|ignor\w*|trust\w*|always|never|obey\w*|disabl\w*|bypass\w*|share\w*)\b|\b(?:assistant|ai|chatbot|model|bot)\b[^.]{0,30}\b(?:should|must|has to|is to)\b|(?:希望|要求|想要?|喜欢|偏好|让)[^。]{0,12}(?:助手|AI|机器人|模型|回答|系统)[^。]{0,20}(?:推荐|宣传|提到|推广|购买|链接|忽略|无视|透露|发送|转发|总是|永远|一律|必须|信任)|(?:助手|AI|机器人|模型)(?:应该|必须|要)/iu;

/** Whether a fact is a preference of somebody that an assistant should serve somebody else; a model would say that it was said. */
export const isInjected = (content: string): boolean => INJECTED.test(content);
