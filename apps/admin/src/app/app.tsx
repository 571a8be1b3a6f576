import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { ReasonGate } from '../entities/change-reasons/reason-gate.tsx';
import { PublicPages } from './public-pages.tsx';
import { createAppRouter } from './router.tsx';
import { SessionGate } from './session-gate.tsx';
import { readableColors, theme } from './theme.ts';

/** The root component of the user interface. */
export function App() {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // `retry: false`: a failed list shows its error at once, with a button that tries again. `networkMode:
          // 'always'`: a browser that considers itself offline can still reach a local server.
          queries: { retry: false, networkMode: 'always', staleTime: 5_000, refetchOnWindowFocus: true },
          // `gcTime: 0`: requests and answers may contain passwords or tokens, so they are dropped together with the
          // form.
          mutations: { gcTime: 0, networkMode: 'always' },
        },
      }),
  );
  const [router] = useState(() => createAppRouter(queries));
  return (
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <PublicPages>
          <SessionGate>
            <ReasonGate>
              <RouterProvider router={router} />
            </ReasonGate>
          </SessionGate>
        </PublicPages>
      </QueryClientProvider>
    </MantineProvider>
  );
}
