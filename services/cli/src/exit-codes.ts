import { CommanderError } from 'commander';

/** Exit codes of the process: done, failed, or called wrongly. */
export const exitCodes = { ok: 0, failed: 1, usage: 2 } as const;

const REPORTED = 'contextloom.told';

/** Ends a command as failed when its output already says why. */
export function endAsFailed(): never {
  throw new CommanderError(exitCodes.failed, REPORTED, 'the output says why');
}

/** The exit code of what commander threw: help and version are done, the rest are calls that were wrong. */
export function toExitCode({ code, exitCode }: CommanderError): number {
  if (code === REPORTED) return exitCodes.failed;
  return exitCode === 0 ? exitCodes.ok : exitCodes.usage;
}
