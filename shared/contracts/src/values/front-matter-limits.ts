/** The most characters of a front matter; what a person writes there is some words a field. */
export const MAX_FRONT_MATTER_LENGTH = 50_000;
/** The most aliases that are followed: those that multiply fill any memory. */
export const MAX_FRONT_MATTER_ALIASES = 50;
const MAX_DEPTH = 50;

/** List items, keys and values that begin one inside the other on one line. */
const compact = /^[ \t]*(?:[-?:][ \t]+){50}/m;

/** How deeply brackets are nested; those in quotation marks count too, since only a trap has so many. */
function toDepth(yaml: string): number {
  let depth = 0;
  let deepest = 0;
  for (const sign of yaml) {
    if (sign === '[' || sign === '{') depth += 1;
    else if ((sign === ']' || sign === '}') && depth > 0) depth -= 1;
    if (depth > deepest) deepest = depth;
  }
  return deepest;
}

/**
 * Tells why a front matter is not to be given to a YAML parser: one that runs out of stack in the middle of its work may take
 * the process with it. Undefined when nothing is wrong.
 */
export function findFrontMatterTrap(yaml: string): string | undefined {
  if (yaml.length > MAX_FRONT_MATTER_LENGTH) return `is over ${MAX_FRONT_MATTER_LENGTH} characters`;
  return toDepth(yaml) > MAX_DEPTH || compact.test(yaml) ? 'is nested too deeply' : undefined;
}
