import { Alert, Anchor, Code, List, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { LoginMethods } from '../../lib/api.ts';
import { Muted } from '../../ui/text.tsx';
import { ForgottenPassword } from './forgotten-password.tsx';
import { takeLoginError } from './login-error-cookie.ts';
import { LoginForm } from './login-form.tsx';
import { PublicPage } from './public-page.tsx';

interface Props {
  readonly ways: LoginMethods;
  readonly onSignedIn: () => Promise<void>;
}

/** The login page. */
export function LoginPage({ ways, onSignedIn }: Props) {
  const [formError] = useState(takeLoginError);
  return (
    <PublicPage>
      <Stack>
        {formError !== undefined && (
          <Alert color="red" role="alert" title="Login failed">
            {formError}
          </Alert>
        )}
        <LoginForm ways={ways} onSignedIn={onSignedIn} />
        {ways.passwords && <Help byEmail={ways.passwordResetByEmail} />}
      </Stack>
    </PublicPage>
  );
}

/** Help for users without a password. */
function Help({ byEmail }: { readonly byEmail: boolean }) {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap="xs">
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened} ta="start">
        Forgot your password?
      </Anchor>
      {opened && byEmail && <ForgottenPassword />}
      {opened && (
        <Muted component="div">
          <List spacing="xs" size="sm">
            <List.Item>
              {byEmail ? 'No e-mail address in your account? ' : ''}Ask an administrator for a password reset link.
            </List.Item>
            <List.Item>
              New installation? The first start created the user <b>admin</b> and printed its password in the terminal,
              unless it was configured.
            </List.Item>
            <List.Item>
              If it is lost, run <Code>npm run yardarm -- recover</Code> on the server.
            </List.Item>
          </List>
        </Muted>
      )}
    </Stack>
  );
}
