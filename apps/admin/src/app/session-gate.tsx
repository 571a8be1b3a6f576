import { Center, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LoginForm } from '../features/login/login-form.tsx';
import { LoginPage } from '../features/login/login-page.tsx';
import { ApiError, type LoginWays, whenSignedOut } from '../lib/api.ts';
import { meQuery } from '../lib/me.ts';
import { Failure } from '../ui/failure.tsx';
import { Dialog } from '../ui/over-page.tsx';

/**
 * Lets in who is signed in. When a session ends while somebody works, the login comes up over the page, which stays as it
 * is: nothing that was typed is lost.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [ended, setEnded] = useState<LoginWays>();
  useEffect(() => whenSignedOut(setEnded), []);
  useReloadForAnother(me.data?.user.id);
  const signedIn = async () => {
    setEnded(undefined);
    await queries.invalidateQueries();
  };
  useEffect(() => {
    if (ended === undefined) return;
    // Somebody may have logged in through a provider, on a page beside this one.
    const look = async () => {
      if ((await me.refetch()).isSuccess) setEnded(undefined);
    };
    const onFocus = () => void look();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, [ended, me.refetch]);
  if (me.data === undefined && me.error === null)
    return (
      <Center h="100vh">
        <Loader aria-label="Loading" />
      </Center>
    );
  if (me.data === undefined && me.error instanceof ApiError && me.error.status === 401)
    return <LoginPage ways={me.error.logins} onSignedIn={signedIn} />;
  if (me.data === undefined) return <Failure error={me.error} onRetry={() => void me.refetch()} />;
  return (
    <>
      {children}
      {ended !== undefined && (
        <Dialog
          onClose={() => undefined}
          withCloseButton={false}
          closeOnClickOutside={false}
          closeOnEscape={false}
          title="Your session has ended"
          // Over whatever else is open.
          zIndex={1000}
        >
          <LoginForm
            ways={ended}
            username={me.data.user.username ?? me.data.user.email ?? ''}
            stays
            onSignedIn={signedIn}
          />
        </Dialog>
      )}
    </>
  );
}

/** What is on the page was read and typed by whoever was here: when somebody else is, it is loaded anew. */
function useReloadForAnother(userId: number | undefined): void {
  const last = useRef(userId);
  useEffect(() => {
    if (last.current !== undefined && userId !== undefined && userId !== last.current) window.location.reload();
    last.current = userId;
  }, [userId]);
}
