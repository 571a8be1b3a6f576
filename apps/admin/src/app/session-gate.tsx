import { Center, Loader, Modal } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { LoginForm } from '../features/login/login-form.tsx';
import { LoginPage } from '../features/login/login-page.tsx';
import { ApiError, whenSignedOut } from '../lib/api.ts';
import { meQuery } from '../lib/me.ts';
import { Failure } from '../ui/failure.tsx';

/**
 * Lets in who is signed in. When a session ends while somebody works, the login comes up over the page, which stays as it
 * is: nothing that was typed is lost.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [ended, setEnded] = useState(false);
  useEffect(() => whenSignedOut(() => setEnded(true)), []);
  const signedIn = async () => {
    setEnded(false);
    await queries.invalidateQueries();
  };
  if (me.data === undefined && me.error === null)
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  if (me.data === undefined && me.error instanceof ApiError && me.error.status === 401)
    return <LoginPage onSignedIn={signedIn} />;
  if (me.data === undefined) return <Failure error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <>
      {children}
      <Modal
        opened={ended}
        onClose={() => undefined}
        withCloseButton={false}
        closeOnClickOutside={false}
        closeOnEscape={false}
        title="Your session has ended"
        centered
        // Over whatever else is open.
        zIndex={1000}
      >
        <LoginForm username={me.data.user.username ?? me.data.user.email ?? ''} onSignedIn={signedIn} />
      </Modal>
    </>
  );
}
