import { Center, Loader } from '@mantine/core';
import { lazy, type ReactNode, Suspense } from 'react';

const SetPasswordPage = lazy(async () => ({
  default: (await import('../features/login/set-password-page.tsx')).SetPasswordPage,
}));
const SignUpPage = lazy(async () => ({ default: (await import('../features/login/sign-up-page.tsx')).SignUpPage }));

/** The page at this address when it is one for people who have no account or no password yet. */
function outsidePage(): ReactNode {
  const { pathname, searchParams } = new URL(window.location.href);
  const path = pathname.slice(new URL(document.baseURI).pathname.length - 1);
  const [token, invite] = [searchParams.get('token'), searchParams.get('invite')];
  if (path === '/new-user' && invite !== null) return <SignUpPage secret={invite} />;
  if ((path === '/new-user' || path === '/reset-password') && token !== null) return <SetPasswordPage token={token} />;
  return undefined;
}

/** Shows the pages that nobody has to be signed in for, and `children` at every other address. */
export function Outside({ children }: { readonly children: ReactNode }) {
  const waiting = (
    <Center h="100vh">
      <Loader aria-label="Loading" />
    </Center>
  );
  return <Suspense fallback={waiting}>{outsidePage() ?? children}</Suspense>;
}
