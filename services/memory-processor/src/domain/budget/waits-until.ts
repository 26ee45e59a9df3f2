/** When there is a budget for all of these; undefined where one waits for something else. */
export function toWaitsUntil(all: readonly { readonly waitsUntil?: Date | undefined }[]): Date | undefined {
  return all.some(({ waitsUntil }) => waitsUntil === undefined) ? undefined : all.at(-1)?.waitsUntil;
}
