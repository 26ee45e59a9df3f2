/** What DiscordChatExporter writes in place of words that nobody said (`GetFallbackContent`). */
const NOTICE =
  /^(?:Joined the server\.|Pinned a message\.|Started a thread\.|Started a call that lasted [\d.,]{1,12} minutes?\.|Left the group\.|(?:Added|Removed) .{1,80} (?:to|from) the group\.|Changed the channel (?:icon\.|name: .{1,120}))$/u;

/** The words of a message of Discord; attachments alone and notices have none. */
export function toDiscordWords(text: string) {
  if (text.trim() === '') return { leftOut: 'media' };
  return NOTICE.test(text.trim()) ? { leftOut: 'system message' } : { text: text.trim() };
}
