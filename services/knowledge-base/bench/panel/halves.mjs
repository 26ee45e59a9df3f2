// Which half of a set a question is of: the dev half is looked at while the ranking is tuned, the other one once, at the end.

/** FNV-1a over UTF-16 code units, 32 bits: the same for the same text on every machine. */
export function hash(text) {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) {
    value = Math.imul(value ^ text.charCodeAt(at), 0x01000193) >>> 0;
  }
  // FNV's lowest bit is the parity of the characters' lowest bits: mix before anybody takes a bit of it.
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b) >>> 0;
  return (value ^ (value >>> 13)) >>> 0;
}

/** Whether a question is of the held-out half, by its words and whom it is asked of. */
export function isHeldOut({ user, question }) {
  return hash(`${user}\n${question}`) % 2 === 1;
}
