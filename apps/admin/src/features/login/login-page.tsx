import { Alert, Anchor, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import type { LoginWays } from '../../lib/api.ts';
import { LoginForm } from './login-form.tsx';
import { OutsidePage } from './outside-page.tsx';
import { takeRefusal } from './refused.ts';

interface Props {
  readonly ways: LoginWays;
  readonly onSignedIn: () => Promise<void>;
}

/** The first thing that somebody sees who is not signed in. */
export function LoginPage({ ways, onSignedIn }: Props) {
  const [refusal] = useState(takeRefusal);
  return (
    <OutsidePage>
      <Stack>
        {refusal !== undefined && (
          <Alert color="red" role="alert" title="You are not logged in">
            {refusal}
          </Alert>
        )}
        <LoginForm ways={ways} onSignedIn={onSignedIn} />
        {ways.passwords && <FirstRunHint />}
      </Stack>
    </OutsidePage>
  );
}

/** For who has just installed it and has no password yet. */
function FirstRunHint() {
  const [opened, { toggle }] = useDisclosure();
  return (
    <Stack gap={4}>
      <Anchor component="button" type="button" size="sm" onClick={toggle} aria-expanded={opened} ta="start">
        Just installed?
      </Anchor>
      {opened && (
        <Text size="sm" c="dimmed">
          At its first start the service made the user admin and printed the password where it was started, unless a
          setting named one.
        </Text>
      )}
    </Stack>
  );
}
