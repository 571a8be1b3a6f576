import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { BreakGlassGate } from '../features/change-requests/break-glass-gate.tsx';
import { Outside } from './outside.tsx';
import { createAppRouter } from './router.tsx';
import { SessionGate } from './session-gate.tsx';
import { readableColors, theme } from './theme.ts';

/** The whole user interface. */
export function App() {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          // A list that fails says so at once and offers to try again. A browser that takes itself for offline reaches this machine.
          queries: { retry: false, networkMode: 'always', staleTime: 5_000, refetchOnWindowFocus: true },
          // What was sent and answered may be a password or a token: it is forgotten with the form.
          mutations: { gcTime: 0, networkMode: 'always' },
        },
      }),
  );
  const [router] = useState(() => createAppRouter(queries));
  return (
    <MantineProvider theme={theme} cssVariablesResolver={readableColors} defaultColorScheme="auto">
      <Notifications position="bottom-right" />
      <QueryClientProvider client={queries}>
        <Outside>
          <SessionGate>
            <BreakGlassGate>
              <RouterProvider router={router} />
            </BreakGlassGate>
          </SessionGate>
        </Outside>
      </QueryClientProvider>
    </MantineProvider>
  );
}
