import { toReadings } from '../readings/readings.ts';
import { toWindows } from '../readings/windows.ts';
import { chineseOrders, chineseTalk } from './chinese.ts';
import * as chinese from './chinese-standing.ts';
import { englishOrders, englishTalk } from './english.ts';
import * as english from './english-standing.ts';
import { chatMarkup } from './markup.ts';
import { otherOverrides, otherRoles } from './other-languages.ts';
import { isReported } from './reported-speech.ts';

/** What is written for an assistant even where somebody is said to have said it. */
const ORDERS: readonly RegExp[] = [
  ...chatMarkup,
  ...englishOrders,
  ...chineseOrders,
  ...otherOverrides,
  ...english.setAside,
  ...english.againstUser,
  ...english.disclosing,
  ...english.addressing,
  ...english.authority,
  ...chinese.setAside,
  ...chinese.againstUser,
  ...chinese.disclosing,
  ...chinese.addressing,
  ...chinese.authority,
];
/** What people also say to each other: a memory of that is a memory. */
const TALK: readonly RegExp[] = [
  ...englishTalk,
  ...chineseTalk,
  ...english.standing,
  ...chinese.standing,
  ...otherRoles,
];

function isTalkForAssistant(text: string, pattern: RegExp): boolean {
  const match = pattern.exec(text);
  return match !== null && !isReported(text, match.index, match.index + match[0].length);
}

function isForAssistant(window: string): boolean {
  return ORDERS.some((pattern) => pattern.test(window)) || TALK.some((pattern) => isTalkForAssistant(window, pattern));
}

/**
 * Whether a text is written for the assistant rather than about the user: orders, changes of its role, chat markup, in
 * whatever disguise. How somebody wishes to be spoken to, told as a fact about them, is none, and neither is what people
 * say to each other. The time is linear in its length.
 */
export function isInstruction(text: string): boolean {
  return toReadings(text).flatMap(toWindows).some(isForAssistant);
}
