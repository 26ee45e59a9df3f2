import type { JsonObject } from '@contextloom/contracts';

/** Arguments as they are sent: without the fields that are undefined. */
export const toArguments = (args: object): JsonObject => JSON.parse(JSON.stringify(args));
