import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { generate } from 'selfsigned';
import { createImageFetcher } from '../src/images/fetch-image.ts';
import { createImageLoader, MAX_IMAGE_BYTES } from '../src/images/load-image.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const toDataUri = (bytes: Buffer, type = 'image/png') => `data:${type};base64,${bytes.toString('base64')}`;
const { signal } = new AbortController();

let server: Server | undefined;
let base = '';
const createLoad = (fetchImage = createImageFetcher()) => {
  const loadImages = createImageLoader({ fetchImage });
  return async (uri: string) => (await loadImages([uri], signal))[0];
};
const loadAnywhere = createLoad();
let load = loadAnywhere;

/** A real https server whose addresses say what it answers. */
beforeAll(async () => {
  const { private: key, cert } = await generate([{ name: 'commonName', value: 'localhost' }], { keySize: 2_048 });
  server = createServer({ key, cert }, (request, response) => {
    const path = request.url ?? '';
    if (path === '/cat.png') response.end(png);
    else if (path === '/page.html') response.end('<html>');
    else if (path === '/huge') response.end(Buffer.alloc(MAX_IMAGE_BYTES + 1));
    else if (path === '/announced') response.writeHead(200, { 'content-length': '52428800' }).flushHeaders();
    else if (path === '/moved') response.writeHead(302, { location: '/cat.png' }).end();
    else if (path === '/inwards') response.writeHead(302, { location: 'https://10.0.0.1/cat.png' }).end();
    else if (path === '/plain') response.writeHead(302, { location: 'http://example.com/cat.png' }).end();
    else if (path === '/loop') response.writeHead(302, { location: '/loop' }).end();
    else if (path !== '/silent') response.writeHead(404).end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  base = `https://localhost:${(server.address() as AddressInfo).port}`;
  const agent = { ca: cert, allowIPAddressList: ['127.0.0.1', '::1'] };
  load = createLoad(createImageFetcher({ agent, timeoutMs: 1_000 }));
});
afterAll(async () => {
  server?.closeAllConnections();
  server?.close();
});

describe('an image', () => {
  it('comes from a data URI, with the type that its bytes have', async () => {
    expect(await load(toDataUri(png, 'image/jpeg'))).toBe(toDataUri(png));
  });

  it.each(['/cat.png', '/moved'])('comes from https (%s)', async (path) => {
    expect(await load(`${base}${path}`)).toBe(toDataUri(png));
  });

  it.each([
    ['file:///etc/passwd', 'image_uris[0] must be a data: or https: URI of an image'],
    ['http://example.com/cat.png', 'image_uris[0] must be a data: or https: URI of an image'],
    ['https://user:word@example.com/cat.png', 'image_uris[0] must be a data: or https: URI of an image'],
    ['cat.png', 'image_uris[0] must be a data: or https: URI of an image'],
    ['', 'image_uris[0] must be a data: or https: URI of an image'],
    ['data:image/png,abc', 'image_uris[0] must be a data: URI in base64'],
    ['data:image/png;base64,???', 'image_uris[0] is not valid base64'],
    ['data:image/png;base64,', 'image_uris[0] is not valid base64'],
    [toDataUri(Buffer.from('<svg/>'), 'image/svg+xml'), 'image_uris[0] must be a PNG, JPEG, GIF or WebP image'],
    [toDataUri(Buffer.from('MZ\x90'), 'image/png'), 'image_uris[0] must be a PNG, JPEG, GIF or WebP image'],
  ])('%s is refused by name', async (uri, message) => {
    await expect(load(uri)).rejects.toMatchObject({ code: 'invalid', message });
  });

  it('of 50 MB is refused before it is decoded', async () => {
    const uri = `data:image/png;base64,${'A'.repeat(70_000_000)}`;
    await expect(load(uri)).rejects.toMatchObject({
      code: 'too_large',
      message: 'image_uris[0] must be at most 10 MB',
    });
  });

  it.each([
    ['/huge', 'too_large', 'must be at most 10 MB'],
    ['/announced', 'too_large', 'must be at most 10 MB'],
    ['/page.html', 'invalid', 'must be a PNG, JPEG, GIF or WebP image'],
    ['/none', 'unavailable', 'was answered with HTTP 404'],
    ['/loop', 'unavailable', 'was answered with HTTP 302'],
    ['/plain', 'unavailable', 'redirects to another protocol than https'],
    ['/inwards', 'forbidden', 'is at an address that is not public'],
    ['/silent', 'timeout', 'did not come in time'],
  ])('at %s is refused: %s', async (path, code, message) => {
    await expect(load(`${base}${path}`)).rejects.toMatchObject({ code, message: `image_uris[0] ${message}` });
  });

  it.each([
    'https://127.0.0.1/cat.png',
    'https://localhost/cat.png',
    'https://2130706433/cat.png',
    'https://0x7f.1/cat.png',
    'https://10.1.2.3/cat.png',
    'https://172.16.0.1/cat.png',
    'https://192.168.1.1/cat.png',
    'https://169.254.169.254/latest/meta-data/',
    'https://100.64.0.1/cat.png',
    'https://0.0.0.0/cat.png',
    'https://[::1]/cat.png',
    'https://[::ffff:127.0.0.1]/cat.png',
    'https://[fe80::1]/cat.png',
    'https://[fd00::1]/cat.png',
    'https://[64:ff9b::7f00:1]/cat.png',
  ])('is never asked for at %s', async (uri) => {
    await expect(loadAnywhere(uri)).rejects.toMatchObject({
      code: 'forbidden',
      message: 'image_uris[0] is at an address that is not public',
    });
  });
});
