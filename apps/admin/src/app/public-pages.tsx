import { Center, Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';

const SetPasswordPage = lazy(async () => ({
  default: (await import('../features/login/set-password-page.tsx')).SetPasswordPage,
}));
const SignUpPage = lazy(async () => ({ default: (await import('../features/login/sign-up-page.tsx')).SignUpPage }));

/** Returns the page at this address if it needs no login: sign-up and password reset. */
function publicPageAt(): ReactNode {
  const { pathname, searchParams } = new URL(window.location.href);
  const path = pathname.slice(new URL(document.baseURI).pathname.length - 1);
  const [token, invite] = [searchParams.get('token'), searchParams.get('invite')];
  if (path === '/new-user' && invite !== null) return <SignUpPage secret={invite} />;
  if ((path === '/new-user' || path === '/reset-password') && token !== null) return <SetPasswordPage token={token} />;
  return undefined;
}

/** Shows the pages that need no login, and `children` at every other address. */
export function PublicPages({ children }: { readonly children: ReactNode }) {
  const waiting = (
    <Center h="100vh">
      <Loader aria-label="Loading" />
    </Center>
  );
  return <Suspense fallback={waiting}>{publicPageAt() ?? children}</Suspense>;
}
