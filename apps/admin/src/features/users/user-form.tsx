import { Checkbox, Radio, Select, Stack, TextInput } from '@mantine/core';
import { type UseFormReturnType, useForm } from '@mantine/form';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { nameOf, type Person, roleChoices, usersQuery } from '../../entities/users/user-queries.ts';
import { api } from '../../lib/api.ts';
import { editedFields } from '../../lib/edited-fields.ts';
import { instanceQuery } from '../../lib/instance.ts';
import { useSaving } from '../../lib/use-saving.ts';
import { FormDrawer } from '../../ui/form-drawer.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { type PasswordLink, PasswordLinkOnce } from './password-link.tsx';

interface Props {
  /** The user to edit; absent to create a new user. */
  readonly user?: Person;
  readonly onClose: () => void;
}

interface UserValues extends Record<string, unknown> {
  name: string;
  email: string;
  username: string;
  rootRole: string;
  by: string;
  password: string;
  sendEmail: boolean;
}

type UserValuesForm = UseFormReturnType<UserValues>;

/** Returns the form of a user and its submit function. `onMade` gets the link by which a new user sets a password. */
function useUserForm({ user, onClose }: Props, onMade: (link: PasswordLink) => void) {
  const form = useForm<UserValues>({
    initialValues: {
      name: user?.name ?? '',
      email: user?.email ?? '',
      username: user?.username ?? '',
      rootRole: user === undefined ? '' : `${user.rootRole}`,
      by: 'link',
      password: '',
      sendEmail: true,
    },
    validate: {
      rootRole: (role) => (role === '' ? 'Select a role.' : null),
      username: (username, { email }) =>
        username.trim() === '' && email.trim() === '' ? 'Enter a user name or an e-mail address.' : null,
    },
  });
  const saving = useSaving(form, {
    save: async ({ name, email, username, rootRole, by, password, sendEmail }) => {
      if (user !== undefined) {
        const params = { id: user.id };
        const edited = { name, email, rootRole: Number(rootRole) };
        const current = changeable(await api('GET /api/admin/user-admin/:id', { params }));
        const body = editedFields({ loaded: changeable(user), edited, current });
        await api('PUT /api/admin/user-admin/:id', { params, body });
        return undefined;
      }
      const named = { ...filled({ name, email, username }), rootRole: Number(rootRole), sendEmail };
      const body = by === 'password' ? { ...named, password } : named;
      const { inviteLink: url, emailSent } = await api('POST /api/admin/user-admin', { body });
      return url === undefined ? undefined : { url, emailSent };
    },
    changes: ['GET /api/admin/user-admin'],
    notice: user === undefined ? 'User created' : 'User saved',
    onSaved: (link) => (link === undefined ? onClose() : onMade(link)),
  });
  return { form, saving };
}

/** Creates or edits a user. A new user gets a password, or a link to set one, which is shown once. */
export function UserForm({ user, onClose }: Props) {
  const { data } = useQuery(usersQuery);
  const [link, setLink] = useState<PasswordLink>();
  const { form, saving } = useUserForm({ ...(user === undefined ? {} : { user }), onClose }, setLink);
  if (link !== undefined)
    return (
      <PasswordLinkOnce title="User created" link={link} onClose={onClose}>
        Anyone who opens it within 24 hours can set the password.
      </PasswordLinkOnce>
    );
  return (
    <FormDrawer
      title={user === undefined ? 'New user' : `Edit ${nameOf(user)}`}
      save={user === undefined ? 'Create user' : 'Save user'}
      saving={saving}
      onClose={onClose}
    >
      <TextInput label="Name" autoComplete="off" data-autofocus {...form.getInputProps('name')} />
      <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
      <TextInput
        label="User name"
        description={
          user === undefined ? 'The user logs in with the user name or the e-mail address.' : 'It cannot be changed.'
        }
        autoComplete="off"
        disabled={user !== undefined}
        {...form.getInputProps('username')}
      />
      <Select
        label="Root role"
        description="Permissions for the whole instance. Project roles are added to them."
        required
        allowDeselect={false}
        data={roleChoices(data?.rootRoles)}
        {...form.getInputProps('rootRole')}
      />
      {user === undefined && <PasswordChoice form={form} />}
      {user === undefined && <SendEmail form={form} />}
    </FormDrawer>
  );
}

/** Returns the fields of an existing user that the form changes. */
function changeable({ name, email, rootRole }: Pick<Person, 'name' | 'email' | 'rootRole'>) {
  return { name: name ?? '', email: email ?? '', rootRole };
}

function PasswordChoice({ form }: { readonly form: UserValuesForm }) {
  return (
    <>
      <Radio.Group label="Password" {...form.getInputProps('by')}>
        <Stack gap="xs" mt={4}>
          <Radio value="link" label="The user sets a password by a link" />
          <Radio value="password" label="Set a password now" />
        </Stack>
      </Radio.Group>
      {form.values.by === 'password' && <NewPassword {...form.getInputProps('password')} />}
    </>
  );
}

/** Offers to send an invitation by e-mail. Renders nothing when the server sends no e-mail. */
function SendEmail({ form }: { readonly form: UserValuesForm }) {
  const { data } = useQuery(instanceQuery);
  if (data?.emailEnabled !== true) return null;
  return <Checkbox label="Send an invitation by e-mail" {...form.getInputProps('sendEmail', { type: 'checkbox' })} />;
}

/** Returns the texts that are not empty, because the server refuses empty ones. */
function filled<T extends Record<string, string>>(texts: T): Partial<T> {
  return Object.fromEntries(Object.entries(texts).filter(([, text]) => text.trim() !== '')) as Partial<T>;
}
