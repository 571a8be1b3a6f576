import { Alert, Button, Loader, Stack, Text, TextInput, Title } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation, useQuery } from '@tanstack/react-query';
import { api } from '../../lib/api.ts';
import { byField } from '../../lib/problems.ts';
import { NewPassword } from './new-password.tsx';
import { OutsidePage } from './outside-page.tsx';

const fields = ['name', 'email', 'password'];

/** Where an invite link leads: whoever has it may become a user. */
export function SignUpPage({ secret }: { readonly secret: string }) {
  const params = { token: secret };
  const link = useQuery({
    queryKey: ['GET /invite/:token/validate', secret],
    queryFn: async () => {
      await api('GET /invite/:token/validate', { params });
      return true;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
  const form = useForm({ initialValues: { name: '', email: '', password: '' } });
  const signUp = useMutation({
    mutationFn: (body: typeof form.values) => api('POST /invite/:token/signup', { params, body }),
    onError: (error) => {
      form.setErrors(byField(error, fields).fields);
    },
  });
  const refusal = signUp.error === null ? undefined : byField(signUp.error, fields).rest;
  return (
    <OutsidePage>
      {link.isPending && <Loader aria-label="Loading" />}
      {link.error !== null && (
        <Alert color="red" role="alert" title="This invite link is not good">
          It is unknown, switched off, or its time is over. Ask whoever sent it for another one.
        </Alert>
      )}
      {signUp.isSuccess && (
        <Stack>
          <Alert color="green" role="status" title="Welcome">
            Your account is there. Log in with your e-mail address and the password you chose.
          </Alert>
          <Button component="a" href={document.baseURI}>
            Log in
          </Button>
        </Stack>
      )}
      {link.isSuccess && !signUp.isSuccess && (
        <form onSubmit={form.onSubmit((values) => signUp.mutate(values))}>
          <Stack>
            <Title order={2} size="h4">
              Create your account
            </Title>
            <Text size="sm">You were invited to this installation as a Viewer.</Text>
            {refusal !== undefined && (
              <Alert color="red" role="alert">
                {refusal}
              </Alert>
            )}
            <TextInput label="Full name" autoComplete="name" required {...form.getInputProps('name')} />
            <TextInput label="E-mail" type="email" autoComplete="email" required {...form.getInputProps('email')} />
            <NewPassword label="Password" {...form.getInputProps('password')} />
            <Button type="submit" loading={signUp.isPending}>
              Sign up
            </Button>
          </Stack>
        </form>
      )}
    </OutsidePage>
  );
}
