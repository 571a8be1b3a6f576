import { Alert, Stack } from '@mantine/core';
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
      </Stack>
    </OutsidePage>
  );
}
