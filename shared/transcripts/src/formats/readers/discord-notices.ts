import { findDiscordNotice } from '../templates/messengers.ts';
import { said, unsaid, type Words } from '../words.ts';

/** The words of a message of Discord; attachments alone and notices have none. */
export function toDiscordWords(text: string): Words {
  const own = text.trim();
  if (own === '') return unsaid('media', '');
  const reason = findDiscordNotice(own);
  return reason === undefined ? said(own) : unsaid(reason, own);
}
