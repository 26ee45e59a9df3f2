// Answers a download out of a stream of the page, so that a file begins with its first part. It keeps nothing, and sees nothing else: its
// scope is the folder of assets, in which no page is.
const waiting = new Map();

addEventListener('install', () => skipWaiting());

addEventListener('message', ({ data: { headers, body }, ports: [port] }) => {
  // The page says now and then that it goes on writing, which keeps this running.
  if (body === undefined) return;
  const path = `/assets/download/${crypto.randomUUID()}`;
  waiting.set(path, new Response(body, { headers }));
  port.postMessage(path);
});

addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url);
  const response = waiting.get(pathname);
  if (response === undefined) return;
  waiting.delete(pathname);
  event.respondWith(response);
});
