/** Opens an address in the browser of this machine, where there is one; the caller prints the address as well. */
export async function openBrowser(url: URL): Promise<void> {
  const { default: open } = await import('open');
  await open(url.href).catch(() => undefined); // A machine without a browser.
}
