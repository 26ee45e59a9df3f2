import { posix, win32 } from 'node:path';
import type { Environment } from '@contextloom/runtime';

/** The machine that configurations are written on. */
export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Environment;
}

/** Joins paths as the machine writes them, which need not be the one that this runs on. */
export const joinOn = ({ platform }: Machine, ...parts: readonly string[]): string =>
  (platform === 'win32' ? win32 : posix).join(...parts);

/** A path in the home folder. */
export const inHome =
  (...parts: readonly string[]) =>
  (machine: Machine): string =>
    joinOn(machine, machine.home, ...parts);

/** A path in the folder that a variable names, else in the usual one of the home folder. */
export const inOwnFolder =
  (variable: string, usual: string, ...parts: readonly string[]) =>
  (machine: Machine): string =>
    joinOn(machine, machine.env[variable] || joinOn(machine, machine.home, usual), ...parts);
