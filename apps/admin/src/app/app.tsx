import { MantineProvider } from '@mantine/core';
import { Notifications } from '@mantine/notifications';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { RouterProvider } from '@tanstack/react-router';
import { useState } from 'react';
import { BreakGlassGate } from '../features/change-requests/break-glass-gate.tsx';
import { ApiError } from '../lib/api.ts';
import { Outside } from './outside.tsx';
import { createAppRouter } from './router.tsx';
import { SessionGate } from './session-gate.tsx';
import { readableColors, theme } from './theme.ts';

/** What is refused stays refused; what could not be reached is asked for again, a little later each time. */
function retry(failures: number, error: Error): boolean {
  return failures < 3 && (!(error instanceof ApiError) || error.status >= 502);
}

/** The whole user interface. */
export function App() {
  const [queries] = useState(
    () =>
      new QueryClient({
        defaultOptions: {
          queries: { retry, staleTime: 5_000, refetchOnWindowFocus: true },
          // What was sent and answered may be a password or a token: it is forgotten with the form.
          mutations: { gcTime: 0 },
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
