import { findKakaoNotice } from '../templates/kakaotalk.ts';
import { said, unsaid, type Words } from '../words.ts';

/** The words of a message of KakaoTalk; pictures, calls and deleted messages have none. */
export function toKakaoWords(text: string): Words {
  const own = text.trim();
  const reason = findKakaoNotice(own);
  return reason === undefined ? said(own) : unsaid(reason, own);
}
