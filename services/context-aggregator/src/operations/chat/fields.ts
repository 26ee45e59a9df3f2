/** Writes a memory's time, where it has one. */
export const toTimeField = (time: string | undefined): { readonly time?: string } =>
  time === undefined ? {} : { time };
