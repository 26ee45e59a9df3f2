import { createTemplates } from './template.ts';

/** What DiscordChatExporter writes in place of words that nobody said (`GetFallbackContent`). */
export const findDiscordNotice = createTemplates({
  'system message': [
    'Joined the server.',
    'Pinned a message.',
    'Started a thread.',
    'Started a call that lasted {minutes} minute.',
    'Started a call that lasted {minutes} minutes.',
    'Left the group.',
    'Added {name} to the group.',
    'Removed {name} from the group.',
    'Changed the channel icon.',
    'Changed the channel name: {title}',
  ],
});

/** What Messenger and Instagram write of whom a message is from, with `{self}` in place of the name, and what they write without one. */
const findMessengerNotice = createTemplates({
  'system message': [
    '@ sent an attachment.',
    '@ sent a photo.',
    '@ sent a video.',
    '@ sent a sticker.',
    '@ sent a voice message.',
    '@ sent a link.',
    '@ sent a location.',
    '@ sent a live location.',
    '@ shared a link.',
    '@ shared a story.',
    '@ missed your call.',
    '@ missed your video call.',
    '@ missed a call.',
    '@ called you.',
    '@ started a call.',
    '@ started a video call.',
    '@ started a video chat.',
    '@ joined the call.',
    '@ joined the video call.',
    '@ joined the video chat.',
    '@ liked a message',
    '@ liked a message.',
    '@ left the group.',
    '@ created the group.',
    '@ named the group {title}.',
    '@ named the group {title}',
    '@ changed the group photo.',
    '@ changed the theme.',
    '@ missed a call from {name}.',
    '@ missed a video call from {name}.',
    '@ set the emoji to {emoji}.',
    "@ can now message and call each other and see info like Active Status and when you've read messages.",
    'Liked a message',
    'Reacted {emoji} to your message',
    'Reacted {emoji} to a message',
    'You are now connected on Messenger',
    'You are now connected on Messenger.',
    'The video call ended.',
    'The video chat ended.',
  ],
  'deleted message': ['@ unsent a message.', '@ unsent a message'],
});

/** The reason for which a message of somebody is a notice; it speaks of its own sender, by the whole name or the first. */
export function findOwnNotice(text: string, sender: string): string | undefined {
  const [first = sender] = sender.split(' ');
  const own = [sender, first, 'You'].find((name) => name !== '' && text.startsWith(`${name} `));
  return findMessengerNotice(own === undefined ? text : `@${text.slice(own.length)}`);
}

/** What Zoom writes of a reaction: the words it is about stand in quotation marks. */
export const findZoomNotice = createTemplates({
  'system message': ['Reacted to "{title}" with {emoji}', 'Removed a {emoji} reaction from "{title}"'],
});

/** Screen and bubble effects of iMessage, as imessage-exporter writes them below the words. */
const EFFECTS = [
  'Confetti',
  'Echo',
  'Fireworks',
  'Balloons',
  'Heart',
  'Lasers',
  'Shooting Star',
  'Shooting Start',
  'Sparkles',
  'Spotlight',
  'Slam',
  'Loud',
  'Gentle',
  'Invisible Ink',
  'Celebration',
];

/** Lines that imessage-exporter adds below the words of a message. */
export const findImessageLine = createTemplates({
  'line of the exporter': [
    'This message responded to an earlier message.',
    'Attachment missing!',
    'SharePlay Message',
    'This message was deleted from the conversation!',
    ...EFFECTS.map((effect) => `Sent with ${effect}`),
  ],
  'deleted message': [
    'You deleted a message.',
    'They deleted a message.',
    '{name} unsent this message part!',
    '{name} unsent this message part {duration} after sending!',
  ],
});
