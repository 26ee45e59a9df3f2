/** What KakaoTalk writes in place of what is no text. */
const MEDIA =
  /^(?:(?:\(?이모티콘\)?|사진(?: \d{1,3}장)?|동영상|음성메시지|지도|연락처|Emoticons?|Photos?(?: \d{1,3})?|\d{1,3} photos|Video|Voice Note|Voice message|Map|Contact)\s?|(?:파일|File): .{1,300}|<(?:사진|동영상|Photo|Video)[^<>]{0,60}>|[0-9a-f]{32,64}\.\w{2,5})$/iu;
const CALL = /^(?:(?:보이스톡|페이스톡|그룹콜|Voice Call|Video Call|Group Call)(?: .{1,40})?)$/iu;
const DELETED =
  /^(?:삭제된 메시지입니다\.|(?:This|The) message (?:was|has been) deleted\.|관리자가 메시지를 가렸습니다\.)$/iu;
const NOTICE =
  /^(?:.{1,100}님이 (?:들어왔습니다|나갔습니다)\.?|.{1,100}님을 (?:초대했습니다|내보냈습니다)\.?|.{1,100} (?:joined|left) this chatroom\.?)$/u;

/** The words of a message of KakaoTalk; pictures, calls, deleted messages and notices have none. */
export function toKakaoWords(text: string): { readonly text: string } | { readonly leftOut: string } {
  const own = text.trim();
  if (own === '') return { leftOut: 'empty message' };
  if (MEDIA.test(own)) return { leftOut: 'media' };
  if (DELETED.test(own)) return { leftOut: 'deleted message' };
  return CALL.test(own) || NOTICE.test(own) ? { leftOut: 'system message' } : { text: own };
}
