import { Center, Loader } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { LoginForm } from '../features/login/login-form.tsx';
import { LoginPage } from '../features/login/login-page.tsx';
import { ApiError, type LoginMethods, noteLogin, onSignedOut } from '../lib/api.ts';
import { meQuery } from '../lib/me.ts';
import { Dialog } from '../ui/dialog.tsx';
import { Failure } from '../ui/failure.tsx';

/**
 * Shows the application to signed-in users and the login page to others. When a session ends, the login opens as a
 * dialog, so that unsaved input is kept.
 */
export function SessionGate({ children }: { readonly children: ReactNode }) {
  const queries = useQueryClient();
  const me = useQuery(meQuery);
  const [ended, setEnded] = useState<LoginMethods>();
  useEffect(() => onSignedOut(setEnded), []);
  useReloadForAnother(me.data?.user.id);
  const signedIn = async () => {
    noteLogin();
    setEnded(undefined);
    await queries.invalidateQueries();
  };
  useEffect(() => {
    if (ended === undefined) return;
    // The user may have logged in through a provider in another tab.
    const look = async () => {
      if (!(await me.refetch()).isSuccess) return;
      noteLogin();
      setEnded(undefined);
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
          // Above all other dialogs, which may be open when the session ends.
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

/** Reloads the page when another user has logged in, because its content belongs to the previous user. */
function useReloadForAnother(userId: number | undefined): void {
  const last = useRef(userId);
  useEffect(() => {
    if (last.current !== undefined && userId !== undefined && userId !== last.current) window.location.reload();
    last.current = userId;
  }, [userId]);
}
