import { MantineProvider } from '@mantine/core';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { App } from './app.tsx';
import { TextsProvider } from './i18n/texts.tsx';
import './styles.css';

/** Styles that the component library adds carry the nonce of the page: others are refused by its policy. */
const nonce = document.querySelector<HTMLMetaElement>('meta[name="csp-nonce"]')?.content ?? '';
// The library that keeps the page behind a dialog from scrolling reads it from here.
Object.assign(globalThis, { __webpack_nonce__: nonce });

/** How long an answer that is no longer shown is kept for the way back: a day of searches must not fill the browser. In milliseconds. */
const KEPT_MS = 30_000;
// The server is often on this machine, and answers whether or not there is a network.
const networkMode = 'always';
const client = new QueryClient({
  defaultOptions: {
    queries: { retry: false, refetchOnWindowFocus: false, gcTime: KEPT_MS, networkMode },
    mutations: { networkMode },
  },
});
const root = document.getElementById('root');
if (root === null) throw new Error('index.html has no #root');
createRoot(root).render(
  <StrictMode>
    <MantineProvider
      defaultColorScheme="auto"
      getStyleNonce={() => nonce}
      theme={{ primaryShade: { light: 8, dark: 9 } }}
    >
      <QueryClientProvider client={client}>
        <TextsProvider>
          <App />
        </TextsProvider>
      </QueryClientProvider>
    </MantineProvider>
  </StrictMode>,
);
